#!/bin/sh
# Run once by the PostgreSQL container: a role and a schema for each service. A role can use nothing but its own schema,
# and at most its share of the 100 connections.
set -eu

as_owner() {
  psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" "$@"
}

as_owner -v database="$POSTGRES_DB" <<'SQL'
REVOKE ALL ON DATABASE :"database", postgres, template1 FROM PUBLIC;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
SQL

# The password is read from the environment: every account of the machine can read command lines.
create_role() {
  as_owner -v database="$POSTGRES_DB" -v role="care_$1" -v schema="$1" -v variable="$2" <<'SQL'
\getenv password :variable
CREATE ROLE :"role" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
  CONNECTION LIMIT 24 PASSWORD :'password';
GRANT CONNECT ON DATABASE :"database" TO :"role";
CREATE SCHEMA :"schema" AUTHORIZATION :"role";
ALTER ROLE :"role" SET search_path = :"schema";
ALTER ROLE :"role" SET statement_timeout = '60s';
ALTER ROLE :"role" SET idle_in_transaction_session_timeout = '15s';
SQL
}

create_role auth AUTH_DATABASE_PASSWORD
create_role cases CASES_DATABASE_PASSWORD
create_role payments PAYMENTS_DATABASE_PASSWORD
create_role scheduling SCHEDULING_DATABASE_PASSWORD
