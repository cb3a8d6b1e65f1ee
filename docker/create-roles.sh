#!/bin/sh
# Run once by the PostgreSQL container: a role and a schema for each service, none of which sees another's.
set -eu
for service in auth cases payments scheduling; do
  psql -v ON_ERROR_STOP=1 -v password="$SERVICE_PASSWORD" -v role="care_$service" -v schema="$service" \
    --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE :"role" LOGIN PASSWORD :'password';
CREATE SCHEMA :"schema" AUTHORIZATION :"role";
SQL
done
