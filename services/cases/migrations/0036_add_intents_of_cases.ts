import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The payment intent that a case began with, if it named one: of an organization it is one case's. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE cases ADD COLUMN intent_id text`
})
