import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who has a method of a customer is in `patient_customers`. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX saved_methods_by_customer`
})
