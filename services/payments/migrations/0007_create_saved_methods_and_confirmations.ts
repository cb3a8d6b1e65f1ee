import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `saved_methods` is what a patient pays with when nobody is there to ask: a customer of the gateway and one of its payment
 * methods, and where things are sent to; the newest of each.
 *
 * `payment_confirmations` is what an organization told of payments that were made outside the service: the newest of each
 * payment, which is known again by the day it was made on and the decision that it is for, if it is for one.
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
      PRIMARY KEY (organization_id, user_id)
    )
  `
  yield* sql`
    CREATE TABLE payment_confirmations (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      payment_id uuid NOT NULL,
      case_id uuid NOT NULL,
      decision_id uuid,
      status text NOT NULL,
      amount numeric(16, 4) NOT NULL,
      payment_date date NOT NULL,
      valid_until date NOT NULL,
      description text,
      told_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX payment_confirmations_of_case
    ON payment_confirmations (organization_id, case_id, payment_date, decision_id) NULLS NOT DISTINCT
  `
  yield* sql`
    CREATE UNIQUE INDEX payment_confirmations_of_payment ON payment_confirmations (organization_id, payment_id)
  `
})
