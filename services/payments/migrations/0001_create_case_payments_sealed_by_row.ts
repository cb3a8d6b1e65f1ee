import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `is_initial` marks the payment that a case begins with, of which there is one; later ones stand beside it. The description
 * is sealed. A gateway's event names a payment by its reference alone.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payments (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      user_id uuid NOT NULL,
      is_initial boolean NOT NULL,
      status text NOT NULL,
      amount numeric(16, 4),
      currency text,
      description text,
      provider_reference_type text,
      provider_reference_id text,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE UNIQUE INDEX payments_initial ON payments (organization_id, case_id) WHERE is_initial`
  yield* sql`CREATE INDEX payments_by_case ON payments (organization_id, case_id, created_at)`
  yield* sql`CREATE INDEX payments_by_reference ON payments (provider_reference_id)`
})
