import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When the address of a profile was changed; null while it is the one that came with the patient's cases. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE users ADD COLUMN address_told_at timestamptz(3)`
})
