import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Finds the cases that lock a patient's profile, whatever organization they are of. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE INDEX cases_locking_profile ON cases (user_id)
    WHERE status IN ('ASSIGNED', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'NO_DECISION')
  `
})
