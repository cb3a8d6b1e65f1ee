import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Migration of every service: the queues of the service. A job is `pending` until a process takes it (`running`), and ends
 * as `completed`, is dead-lettered as `failed`, or is `cancelled` with what it is `about`. A queue knows a `key` once. `payload` is sealed, and of the `version` of its
 * schema. `attempts` counts how often work on it began, `deaths` how often the process ended meanwhile. Jobs of no
 * organization have the nil UUID, because an index cannot be walked past a NULL.
 */
export const createJobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A job is rewritten twice, and kept: vacuumed after 1 % instead of 20, because whoever looks for a job that waits passes
  // the entries of all that do not any more.
  yield* sql`
    CREATE TABLE jobs (
      id uuid PRIMARY KEY,
      queue_name text NOT NULL,
      key text,
      organization_id uuid NOT NULL,
      about uuid,
      version integer NOT NULL,
      payload bytea,
      request_id text NOT NULL,
      traceparent text,
      state text NOT NULL DEFAULT 'pending' CHECK (
        state IN ('pending', 'running', 'completed', 'failed', 'cancelled')
      ),
      attempts integer NOT NULL DEFAULT 0,
      deaths integer NOT NULL DEFAULT 0,
      last_failure text,
      due_at timestamptz NOT NULL,
      claim_id uuid,
      locked_at timestamptz,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      ended_at timestamptz,
      UNIQUE (queue_name, key),
      CHECK ((state = 'running') = (claim_id IS NOT NULL AND locked_at IS NOT NULL)),
      CHECK ((state IN ('completed', 'failed', 'cancelled')) = (ended_at IS NOT NULL)),
      CHECK ((state IN ('completed', 'cancelled')) = (payload IS NULL))
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)
  `
  // What is encrypted does not compress: PostgreSQL need not try.
  yield* sql`ALTER TABLE jobs ALTER COLUMN payload SET STORAGE EXTERNAL`
  // Statistics of a queue are of a moment that is gone: what was all under way then waits by the hundred thousand now, and
  // taking a job would read them all. Without any the planner goes by the size of the table and what is usual.
  for (const column of [
    "queue_name",
    "organization_id",
    "about",
    "state",
    "deaths",
    "due_at",
    "claim_id",
    "locked_at"
  ]) {
    yield* sql`ALTER TABLE jobs ALTER COLUMN ${sql(column)} SET STATISTICS 0`
  }
  yield* sql`
    CREATE INDEX jobs_waiting ON jobs (queue_name, organization_id, due_at, id)
    WHERE state = 'pending' AND deaths = 0
  `
  yield* sql`CREATE INDEX jobs_suspicious ON jobs (queue_name, due_at, id) WHERE state = 'pending' AND deaths > 0`
  yield* sql`CREATE INDEX jobs_running ON jobs (queue_name, organization_id) WHERE state = 'running'`
  yield* sql`CREATE INDEX jobs_about ON jobs (organization_id, about) WHERE state = 'pending' AND about IS NOT NULL`
  yield* sql`CREATE INDEX jobs_ended ON jobs (state, ended_at) WHERE ended_at IS NOT NULL`
  yield* sql`CREATE INDEX jobs_listed ON jobs (state, queue_name, created_at, id)`
})
