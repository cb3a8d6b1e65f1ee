import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How many of a test's database wait for a lock just now. Also within a transaction, which would go on to see what it saw first. */
export const countLockWaits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_clear_snapshot()`
  const rows = yield* sql`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
  `
  return rows.length
})
