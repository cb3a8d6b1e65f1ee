import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `is_sole` marks a case that was created as the only active one of its patient: the partial unique index lets one of
 * two parallel creations win. A case created beside others (`forceCreate`, or opened later) is not sole. Reason and note
 * of an archived case are sealed. The last index is for paths that name a case alone: the operator's, and a partner's, who
 * is told that a case is another organization's.
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
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE UNIQUE INDEX cases_short_id ON cases (organization_id, short_id)`
  yield* sql`CREATE INDEX cases_by_patient ON cases (organization_id, user_id, created_at DESC, id DESC)`
  yield* sql`
    CREATE UNIQUE INDEX cases_sole_active ON cases (organization_id, user_id)
    WHERE is_sole AND NOT is_archived AND status IN ('OPEN', 'ASSIGNED', 'IN_PROGRESS')
  `
  yield* sql`
    CREATE INDEX cases_locking_profile ON cases (organization_id, user_id)
    WHERE status IN ('ASSIGNED', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'NO_DECISION')
  `
  yield* sql`
    CREATE INDEX cases_by_provider ON cases (organization_id, assigned_to)
    WHERE NOT is_archived AND status IN ('ASSIGNED', 'IN_PROGRESS')
  `
  yield* sql`
    CREATE INDEX cases_waiting ON cases (organization_id, created_at, id)
    WHERE NOT is_archived AND NOT is_test AND status = 'OPEN' AND assigned_to IS NULL
  `
  yield* sql`CREATE INDEX cases_anywhere_by_id ON cases (id)`
})
