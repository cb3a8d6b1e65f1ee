import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `is_initial` marks the payment that a case begins with, of which there is one; others stand beside it. One `is_prepared`
 * is of a case that is not stored yet, whose patient is not known. `amount` is what is left of the gross amount. An
 * `operation` is one that the gateway was asked for, and of which nobody knows what became.
 *
 * `payment_intents` is what the gateway told of its payment intents, whoever's they are: events come before the case that
 * names an intent, too. `organization_id` is whose the intent says that it is.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payments (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      user_id uuid,
      product_id uuid,
      is_initial boolean NOT NULL,
      is_prepared boolean NOT NULL,
      status text NOT NULL,
      outcome text,
      version integer NOT NULL,
      currency text,
      gross_amount numeric(16, 4),
      discount numeric(16, 4),
      amount numeric(16, 4),
      differs_from_gateway boolean NOT NULL,
      description text,
      provider_reference_type text,
      provider_reference_id text,
      intent_id text,
      operation text,
      operation_id uuid,
      operation_amount numeric(16, 4),
      operation_since timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE UNIQUE INDEX payments_initial ON payments (organization_id, case_id) WHERE is_initial`
  yield* sql`CREATE INDEX payments_by_case ON payments (organization_id, case_id, created_at, id)`
  yield* sql`CREATE UNIQUE INDEX payments_paid_by ON payments (organization_id, intent_id) WHERE intent_id IS NOT NULL`
  // An event names an intent alone, an operator's path a payment, and the gauges look for these.
  yield* sql`CREATE INDEX payments_by_intent ON payments (intent_id) WHERE intent_id IS NOT NULL`
  yield* sql`CREATE INDEX payments_by_id ON payments (id)`
  yield* sql`CREATE INDEX payments_differing ON payments (id) WHERE differs_from_gateway`
  yield* sql`CREATE INDEX payments_unknown ON payments (operation_since) WHERE operation IS NOT NULL`
  yield* sql`
    CREATE TABLE payment_intents (
      id text PRIMARY KEY,
      organization_id uuid,
      facts jsonb NOT NULL,
      amount numeric(16, 4),
      currency text,
      updated_at timestamptz(3) NOT NULL
    )
  `
})
