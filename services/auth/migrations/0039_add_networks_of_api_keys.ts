import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The networks from which a key may be used. Without any it is all. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE api_keys ADD COLUMN allowed_networks text[]`
})
