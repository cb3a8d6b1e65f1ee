import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Everything that was told of a payment stays: `ordinal` numbers it, and the newest counts. The indexes that allowed one row
 * a payment, and one a day and decision whatever its amount, are replaced by those of the next two migrations.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE payment_confirmations ADD COLUMN ordinal integer NOT NULL DEFAULT 1`
  yield* sql`DROP INDEX payment_confirmations_of_case`
  yield* sql`DROP INDEX payment_confirmations_of_payment`
})
