import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When the address of a saved method was told, which stays when another method comes without one. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE saved_methods ADD COLUMN address_told_at timestamptz(3)`
})
