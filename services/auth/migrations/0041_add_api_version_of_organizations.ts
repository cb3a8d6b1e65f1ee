import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The version of the partner API that an organization's requests have by default. Null until its first key is issued. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE organizations ADD COLUMN api_version text DEFAULT '2026-11-01'`
})
