import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The sandbox organizations that were here, and how far the clock of each is ahead of the machine's. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE test_organizations (
      organization_id uuid PRIMARY KEY,
      ahead_millis bigint NOT NULL DEFAULT 0 CHECK (ahead_millis >= 0)
    )
  `
})
