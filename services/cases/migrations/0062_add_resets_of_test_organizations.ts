import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How often each sandbox was reset, and whether it is being reset. Work that began before a reset writes nothing after it (`requireNotReset`). */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE test_organizations
      ADD COLUMN resets integer NOT NULL DEFAULT 0,
      ADD COLUMN is_resetting boolean NOT NULL DEFAULT false
  `
})
