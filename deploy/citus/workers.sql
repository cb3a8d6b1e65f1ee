-- Adds the workers to the coordinator, and lets it connect to them as the services' roles. Run it with psql on the coordinator, as a
-- superuser, with the passwords of the roles in the environment. It may be run again, with other workers or new passwords.
\getenv auth AUTH_DATABASE_PASSWORD
\getenv cases CASES_DATABASE_PASSWORD
\getenv payments PAYMENTS_DATABASE_PASSWORD
\getenv scheduling SCHEDULING_DATABASE_PASSWORD

SELECT citus_set_coordinator_host('postgres', 5432);
SELECT citus_add_node(name, 5432) FROM unnest(ARRAY['citus-worker-1', 'citus-worker-2']) AS name;

INSERT INTO pg_dist_authinfo (nodeid, rolename, authinfo)
VALUES
  (0, 'care_auth', 'password=' || :'auth'),
  (0, 'care_cases', 'password=' || :'cases'),
  (0, 'care_payments', 'password=' || :'payments'),
  (0, 'care_scheduling', 'password=' || :'scheduling')
ON CONFLICT (rolename, nodeid) DO UPDATE SET authinfo = excluded.authinfo;
