import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `is_initial` marks the payment that a case begins with, of which there is one; later ones stand beside it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payments (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
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
      updated_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE UNIQUE INDEX payments_initial ON payments (case_id) WHERE is_initial`
  yield* sql`CREATE INDEX payments_by_case ON payments (organization_id, case_id, created_at)`
  yield* sql`CREATE INDEX payments_by_reference ON payments (provider_reference_id)`
})
