import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What a key may do. Older keys have no scopes, which means all. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE api_keys ADD COLUMN scopes text[]`
})
