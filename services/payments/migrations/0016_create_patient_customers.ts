import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `patient_customers` is which customers of the gateway patients have ever had a method of: the one that is saved now, and those
 * before it. They are a patient's until the patient is erased.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE patient_customers (
      organization_id uuid NOT NULL,
      customer_id text NOT NULL,
      user_id uuid NOT NULL,
      PRIMARY KEY (organization_id, customer_id, user_id)
    )
  `
  yield* sql`CREATE INDEX patient_customers_of_patient ON patient_customers (organization_id, user_id, customer_id)`
  yield* sql`
    INSERT INTO patient_customers (organization_id, customer_id, user_id)
    SELECT organization_id, customer_id, user_id FROM saved_methods
  `
})
