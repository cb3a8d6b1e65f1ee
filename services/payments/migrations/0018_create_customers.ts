import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `patient_customers` are the customers of the gateway that each patient ever had a method of, until the patient is erased.
 *
 * `deleted_customers` are those that were deleted at the gateway, or are about to be: none of their methods is saved any more. A row
 * stays, because a method may be reported however late.
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
  yield* sql`CREATE INDEX patient_customers_by_customer ON patient_customers (customer_id, organization_id)`
  yield* sql`
    CREATE TABLE deleted_customers (
      organization_id uuid NOT NULL,
      customer_id text NOT NULL,
      deleted_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, customer_id)
    )
  `
  yield* sql`CREATE INDEX deleted_customers_by_customer ON deleted_customers (customer_id, organization_id)`
})
