import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When a key was replaced by a rotation, which issues one new key only. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE api_keys ADD COLUMN replaced_at timestamptz(3)`
})
