import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `is_sole` marks a case that was created as the only active one of its patient: the partial unique index lets one of
 * two parallel creations win. A case created beside others (`forceCreate`, or opened later) is not sole.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE cases (
      id uuid PRIMARY KEY,
      short_id text NOT NULL,
      organization_id uuid NOT NULL,
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
      in_progress_at timestamptz(3),
      closed_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE UNIQUE INDEX cases_short_id ON cases (short_id)`
  yield* sql`CREATE INDEX cases_by_patient ON cases (organization_id, user_id, created_at DESC)`
  yield* sql`
    CREATE UNIQUE INDEX cases_sole_active ON cases (organization_id, user_id)
    WHERE is_sole AND NOT is_archived AND status IN ('OPEN', 'ASSIGNED', 'IN_PROGRESS')
  `
})
