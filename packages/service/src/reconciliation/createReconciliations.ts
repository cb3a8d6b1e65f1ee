import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Migration of a service that compares what it knows with a provider: how far each source was compared, and who sweeps now.
 * A lease that was not extended until `expires_at` is anybody's: its process has ended.
 */
export const createReconciliations = Effect.gen(function* () {
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
