import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What it led to is in `payment_intents_reported`. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX payment_intents_unclaimed`
})
