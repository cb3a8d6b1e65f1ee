import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Whether another service follows a case, and is told when it moves (docs/decisions/0053-calendar-events.md). It is a
 * column of the row that a move has locked: a row of another table, which is added while a move waits, would not be seen.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE cases ADD COLUMN is_followed boolean NOT NULL DEFAULT false`
})
