import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Migration of a service with jobs: the queues of the service, whose payloads are sealed. A job is `pending` until a
 * process takes it (`processing`), and ends as `completed` or is set aside as `failed`. `attempts` counts how often work
 * on it began, `deaths` how often the process ended meanwhile. Jobs of no organization have the nil UUID, because an
 * index cannot be walked past a NULL.
 */
export const createJobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE jobs (
      queue_name text NOT NULL,
      id text NOT NULL,
      organization_id uuid NOT NULL,
      payload bytea,
      state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'processing', 'completed', 'failed')),
      attempts integer NOT NULL DEFAULT 0,
      deaths integer NOT NULL DEFAULT 0,
      last_failure text,
      visible_at timestamptz NOT NULL,
      claim_id uuid,
      locked_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      ended_at timestamptz,
      PRIMARY KEY (queue_name, id),
      CHECK ((state = 'processing') = (claim_id IS NOT NULL AND locked_at IS NOT NULL)),
      CHECK ((state IN ('completed', 'failed')) = (ended_at IS NOT NULL)),
      CHECK ((state = 'completed') = (payload IS NULL))
    )
  `
  // What is encrypted does not compress: PostgreSQL need not try.
  yield* sql`ALTER TABLE jobs ALTER COLUMN payload SET STORAGE EXTERNAL`
  yield* sql`
    CREATE INDEX jobs_waiting ON jobs (queue_name, organization_id, visible_at, id)
    WHERE state = 'pending' AND deaths = 0
  `
  yield* sql`CREATE INDEX jobs_suspicious ON jobs (queue_name, visible_at, id) WHERE state = 'pending' AND deaths > 0`
  yield* sql`CREATE INDEX jobs_running ON jobs (queue_name, organization_id) WHERE state = 'processing'`
  yield* sql`CREATE INDEX jobs_ended ON jobs (state, ended_at) WHERE ended_at IS NOT NULL`
})
