import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The encrypted text of a message of a sandbox, which production keeps, too. Its `text` is empty. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE messages ADD COLUMN sealed_text text`
})
