import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How much each organization stores of what has a quota. Everything stored before `stored_counts.until` is in the amounts.
 * `recounted_at` is when an amount was last counted from the rows themselves.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE stored_amounts (
      organization_id uuid NOT NULL,
      kind text NOT NULL,
      amount bigint NOT NULL,
      recounted_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, kind)
    ) WITH (fillfactor = 50)
  `
  yield* sql`
    CREATE TABLE stored_counts (
      kind text PRIMARY KEY,
      until timestamptz(3) NOT NULL
    )
  `
})
