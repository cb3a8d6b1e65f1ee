import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What a patient pays with when nobody is there to ask, the newest of each: a customer of the gateway and one of its payment
 * methods, and the shipping address. `address_reported_at` is when that address was given; it stays when another method comes without one.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE saved_methods (
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      customer_id text NOT NULL,
      payment_method_id text NOT NULL,
      shipping_address text,
      saved_at timestamptz(3) NOT NULL,
      address_reported_at timestamptz(3),
      PRIMARY KEY (organization_id, user_id)
    )
  `
})
