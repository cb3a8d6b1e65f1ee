import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `is_initial` marks the payment that a case begins with, of which there is one; others stand beside it. One `is_prepared` is of a
 * case that is not stored yet, whose patient is not known. `amount` is what is left of the gross amount. `operation` is one that
 * the gateway was asked for, with an unknown outcome. `asked_at` is when a sweep last asked the gateway for the intent.
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
      asked_at timestamptz(3),
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE UNIQUE INDEX payments_initial ON payments (organization_id, case_id) WHERE is_initial`
  yield* sql`CREATE INDEX payments_by_case ON payments (organization_id, case_id, created_at, id)`
  yield* sql`CREATE UNIQUE INDEX payments_paid_by ON payments (organization_id, intent_id) WHERE intent_id IS NOT NULL`
  // For the export of a patient, page by page.
  yield* sql`CREATE INDEX payments_by_patient ON payments (organization_id, user_id, created_at, id)`
  // An event of the gateway names an intent alone, an operator's path a payment, and the gauges count the last two.
  yield* sql`CREATE INDEX payments_by_intent ON payments (intent_id) WHERE intent_id IS NOT NULL`
  yield* sql`CREATE INDEX payments_by_id ON payments (id)`
  yield* sql`CREATE INDEX payments_differing ON payments (id) WHERE differs_from_gateway`
  yield* sql`CREATE INDEX payments_unknown ON payments (operation_since) WHERE operation IS NOT NULL`
  // For the sweep of payments whose intents are not final: of each organization first the one that was asked for longest ago.
  yield* sql`
    CREATE INDEX payments_open ON payments (organization_id, (coalesce(asked_at, created_at)), id)
    WHERE intent_id IS NOT NULL AND operation IS NULL AND status IN ('UNPAID', 'AUTHORIZED')
  `
  // For the operator's lists: the newest payments of a case, of a status, and of an organization. A prepared payment is of no case yet.
  yield* sql`CREATE INDEX payments_of_case ON payments (case_id, created_at, id) WHERE NOT is_prepared`
  yield* sql`CREATE INDEX payments_by_status ON payments (status, created_at, id) WHERE NOT is_prepared`
  yield* sql`
    CREATE INDEX payments_of_organization ON payments (organization_id, status, created_at, id) WHERE NOT is_prepared
  `
})
