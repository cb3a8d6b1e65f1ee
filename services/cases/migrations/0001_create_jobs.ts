import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The job queues of the service. A job is `pending` until a process claims it (`running`). It ends as `completed`, as `failed`
 * (dead-lettered), or as `cancelled` together with its `subject`. A queue has a `key` once. `payload` is sealed, in the `version`
 * of its schema. `attempts` counts how often work on the job began, `crashes` how often the process ended during that work.
 * `failing_since` decides when the last try is. Jobs of no organization have the nil UUID, because an index cannot be walked past
 * a NULL.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A job is updated twice and then kept. It is vacuumed after 1 % instead of 20 %, because a search for pending jobs reads past
  // the index entries of all that are no longer pending.
  yield* sql`
    CREATE TABLE jobs (
      id uuid PRIMARY KEY,
      queue_name text NOT NULL,
      key text,
      organization_id uuid NOT NULL,
      subject uuid,
      version integer NOT NULL,
      payload bytea,
      request_id text NOT NULL,
      traceparent text,
      state text NOT NULL DEFAULT 'pending' CHECK (
        state IN ('pending', 'running', 'completed', 'failed', 'cancelled')
      ),
      attempts integer NOT NULL DEFAULT 0,
      crashes integer NOT NULL DEFAULT 0,
      last_failure text,
      due_at timestamptz NOT NULL,
      claim_id uuid,
      locked_at timestamptz,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      ended_at timestamptz,
      failing_since timestamptz,
      UNIQUE (queue_name, key),
      CHECK ((state = 'running') = (claim_id IS NOT NULL AND locked_at IS NOT NULL)),
      CHECK ((state IN ('completed', 'failed', 'cancelled')) = (ended_at IS NOT NULL)),
      CHECK ((state IN ('completed', 'cancelled')) = (payload IS NULL))
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)
  `
  // Ciphertext does not compress: PostgreSQL need not try. Statistics of a queue describe a moment that is gone: when all jobs
  // were running then and wait by the hundred thousand now, a claim would read them all. Without statistics the planner assumes
  // what is usual for a table of this size.
  yield* sql`
    ALTER TABLE jobs
      ALTER COLUMN payload SET STORAGE EXTERNAL,
      ALTER COLUMN queue_name SET STATISTICS 0,
      ALTER COLUMN organization_id SET STATISTICS 0,
      ALTER COLUMN subject SET STATISTICS 0,
      ALTER COLUMN state SET STATISTICS 0,
      ALTER COLUMN crashes SET STATISTICS 0,
      ALTER COLUMN due_at SET STATISTICS 0,
      ALTER COLUMN claim_id SET STATISTICS 0,
      ALTER COLUMN locked_at SET STATISTICS 0
  `
  yield* sql`
    CREATE INDEX jobs_waiting ON jobs (queue_name, organization_id, due_at, id)
    WHERE state = 'pending' AND crashes = 0
  `
  yield* sql`CREATE INDEX jobs_suspicious ON jobs (queue_name, due_at, id) WHERE state = 'pending' AND crashes > 0`
  yield* sql`CREATE INDEX jobs_running ON jobs (queue_name, organization_id) WHERE state = 'running'`
  yield* sql`
    CREATE INDEX jobs_by_subject ON jobs (organization_id, subject) WHERE state = 'pending' AND subject IS NOT NULL
  `
  yield* sql`CREATE INDEX jobs_ended ON jobs (state, ended_at) WHERE ended_at IS NOT NULL`
  yield* sql`CREATE INDEX jobs_listed ON jobs (state, queue_name, created_at, id)`
})
