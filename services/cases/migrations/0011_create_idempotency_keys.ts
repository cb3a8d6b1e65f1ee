import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What an idempotency key made: the same key with the same body leads to the same case. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE idempotency_keys (
      organization_id uuid NOT NULL,
      operation text NOT NULL,
      key text NOT NULL,
      body_hash text NOT NULL,
      case_id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, operation, key)
    )
  `
})
