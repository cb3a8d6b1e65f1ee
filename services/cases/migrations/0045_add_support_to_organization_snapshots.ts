import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether the support of an organization may read the answers to forms, as auth last sent it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE organization_snapshots ADD COLUMN support_may_read_answers boolean NOT NULL DEFAULT false`
})
