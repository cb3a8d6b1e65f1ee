import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How far each source of a provider was compared, and which process sweeps now. A lease that was not extended until `expires_at`
 * is free for anybody: its process has ended.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE reconciliation_cursors (
      source text PRIMARY KEY,
      cursor text NOT NULL,
      moved_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`
    CREATE TABLE reconciliation_leases (
      name text PRIMARY KEY,
      holder uuid NOT NULL,
      expires_at timestamptz(3) NOT NULL
    )
  `
})
