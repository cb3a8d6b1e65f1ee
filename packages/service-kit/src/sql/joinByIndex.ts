import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { execute } from "./rows.ts"

/**
 * Makes the effect that keeps the planner from hash and merge joins until the transaction ends. Rows that were chosen first are then found
 * by their primary key, also where the planner expects to choose most of the table.
 */
export const makeJoinByIndex = Effect.map(SqlClient.SqlClient, (sql) =>
  execute(sql`SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`)
)
