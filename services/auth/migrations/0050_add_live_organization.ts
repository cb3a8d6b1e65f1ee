import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The organization whose sandbox another one is. Null for live ones. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE organizations ADD COLUMN live_organization_id uuid`
})
