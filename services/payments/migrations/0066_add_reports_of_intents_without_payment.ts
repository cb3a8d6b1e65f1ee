import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When a sweep last reported an intent that has money and pays nothing here. The index of the next migration replaces the other. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE payment_intents ADD COLUMN reported_at timestamptz(3)`
})
