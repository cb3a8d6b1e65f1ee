import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The calls that change something at Stripe, written before each call: which attempt an operation is at, when it began, and when
 * that attempt was made for the first time.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE stripe_calls (
      organization_id uuid NOT NULL,
      operation text NOT NULL,
      attempt integer NOT NULL,
      began_at timestamptz(3) NOT NULL,
      attempted_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, operation)
    )
  `
  yield* sql`CREATE INDEX stripe_calls_by_attempt ON stripe_calls (attempted_at)`
})
