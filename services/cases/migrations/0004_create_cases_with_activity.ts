import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `is_sole` marks a case that was created as the only active one of its patient, as long as it is active: the partial
 * unique index lets one of two parallel creations win. Reason and note of an archived case are sealed. The last index is
 * for paths that name a case alone: the operator's, and a partner's, who is told that a case is another organization's.
 * The table is vacuumed after 1 % instead of 20, because the index of those that wait is a queue. `activity_count` is the
 * number of the last thing that happened to a case: whoever counts it up has the case to themselves until they commit.
 *
 * `provider_loads` says how many cases a provider has to work on, and when the last one came; a provider without a row
 * never had any. Its rows are rewritten with every move, in place as long as their page has room.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE cases (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      short_id text NOT NULL,
      user_id uuid NOT NULL,
      title text NOT NULL,
      status text NOT NULL,
      type text NOT NULL,
      is_test boolean NOT NULL,
      is_sole boolean NOT NULL,
      is_archived boolean NOT NULL DEFAULT false,
      archive_reason text,
      archive_note text,
      assigned_to uuid,
      assigned_by uuid,
      assigned_at timestamptz(3),
      in_progress_at timestamptz(3),
      closed_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      activity_count integer NOT NULL DEFAULT 1,
      PRIMARY KEY (organization_id, id)
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)
  `
  yield* sql`CREATE UNIQUE INDEX cases_short_id ON cases (organization_id, short_id)`
  yield* sql`CREATE INDEX cases_by_patient ON cases (organization_id, user_id, created_at DESC, id DESC)`
  yield* sql`CREATE UNIQUE INDEX cases_sole ON cases (organization_id, user_id) WHERE is_sole`
  yield* sql`
    CREATE INDEX cases_waiting ON cases (organization_id, created_at, id)
    WHERE NOT is_archived AND NOT is_test AND status = 'OPEN'
  `
  yield* sql`CREATE INDEX cases_anywhere_by_id ON cases (id)`
  yield* sql`
    CREATE TABLE provider_loads (
      organization_id uuid NOT NULL,
      provider_id uuid NOT NULL,
      case_count integer NOT NULL,
      last_assigned_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, provider_id)
    ) WITH (fillfactor = 50)
  `
})
