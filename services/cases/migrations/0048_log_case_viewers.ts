import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Citus moves no schema to another worker, while it is in use, that has a table which is not logged. The table has few rows. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE case_viewers SET LOGGED`
})
