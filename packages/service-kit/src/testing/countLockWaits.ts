import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Returns how many sessions of the test's database wait for a lock in a statement that contains a text. A session that waits for a file
 * to grow does not count. It clears the statistics that a transaction caches, so it works inside one, too.
 */
export const countLockWaits = Effect.fnUntraced(function* (text = "") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_clear_snapshot()`
  const rows = yield* sql`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'extend'
      AND position(${text} IN query) > 0
  `
  return rows.length
})
