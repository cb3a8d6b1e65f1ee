import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What organizations reported of payments that were made outside the service. All reports of a payment stay, numbered by
 * `ordinal`, and the newest counts. A payment is recognized by the first one. `external_decision` is what the organization called the
 * decision, sealed; `decision_id` tells one decision from another.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
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
      reported_at timestamptz(3) NOT NULL,
      ordinal integer NOT NULL DEFAULT 1,
      external_decision text,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX payment_confirmations_first
    ON payment_confirmations (organization_id, case_id, payment_date, amount, decision_id) NULLS NOT DISTINCT
    WHERE ordinal = 1
  `
  yield* sql`
    CREATE UNIQUE INDEX payment_confirmations_in_order ON payment_confirmations (organization_id, payment_id, ordinal)
  `
})
