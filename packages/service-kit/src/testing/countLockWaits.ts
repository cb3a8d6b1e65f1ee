import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"

/**
 * Returns how many sessions of the test's database wait for a lock in a statement that matches a pattern. A session that waits for a file
 * to grow does not count. It clears the statistics that a transaction caches, so it works inside one, too.
 */
export const countLockWaits = Effect.fnUntraced(function* (pattern = "") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_clear_snapshot()`
  // In a Citus cluster a session of a worker waits, and the coordinator for that one.
  const activity = inject("workerUrls").length > 0 ? "citus_stat_activity" : "pg_stat_activity"
  const rows = yield* sql`
    SELECT pid FROM ${sql(activity)}
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'extend'
      AND query ~ ${pattern}
  `
  return rows.length
})
