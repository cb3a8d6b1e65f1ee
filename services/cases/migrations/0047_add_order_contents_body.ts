import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The body with which the pharmacy is asked to take an order, sealed: the same at every try. NULL until it is asked. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE order_contents ADD COLUMN body text`
})
