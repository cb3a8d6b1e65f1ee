-- Makes a distributed schema of the schema of each service, each on another worker as long as there are enough. Run it on the coordinator
-- after the migrations, as a superuser. It may be run again: a schema that is distributed stays where it is.
SELECT name, citus_schema_distribute(name::regnamespace)
FROM unnest(ARRAY['auth', 'cases', 'payments', 'scheduling']) AS name
WHERE name::regnamespace NOT IN (SELECT schema_name FROM citus_schemas);
