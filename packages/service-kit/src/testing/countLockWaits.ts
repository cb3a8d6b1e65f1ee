import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Returns the number of sessions of the test's database that wait for a lock, also inside a transaction, whose statistics are cached. */
export const countLockWaits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_clear_snapshot()`
  const rows = yield* sql`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
  `
  return rows.length
})
