import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `decision_told` is what an organization called the decision of a payment, sealed; `decision_id` tells one from another. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE payment_confirmations ADD COLUMN decision_told text`
})
