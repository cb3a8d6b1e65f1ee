import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Counts what each provider has to do, and finds the cases that wait for one. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE cases ADD COLUMN assigned_at timestamptz(3)`
  yield* sql`
    CREATE INDEX cases_by_provider ON cases (organization_id, assigned_to)
    WHERE NOT is_archived AND status IN ('ASSIGNED', 'IN_PROGRESS')
  `
  yield* sql`
    CREATE INDEX cases_waiting ON cases (organization_id, created_at, id)
    WHERE NOT is_archived AND NOT is_test AND status = 'OPEN' AND assigned_to IS NULL
  `
})
