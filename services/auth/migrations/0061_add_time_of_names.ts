import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When the name of a patient was told, by a case or a change of their profile; null while it is the one that they were made with. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE users ADD COLUMN name_told_at timestamptz(3)`
})
