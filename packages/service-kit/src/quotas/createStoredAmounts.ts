import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Migration of every service: how much organizations store of what has a quota. What was stored before `stored_counts.until`
 * is in the amounts, each of which was last counted whole at `recounted_at`.
 */
export const createStoredAmounts = Effect.gen(function* () {
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
