import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Until when, by the clock of a sandbox, its webhook endpoints count as failing. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE test_organizations ADD COLUMN webhooks_fail_until timestamptz`
})
