import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Archived products and bundles stay, because cases name them. A form is archived when it is not active. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE products ADD COLUMN is_archived boolean NOT NULL DEFAULT false`
  yield* sql`ALTER TABLE bundles ADD COLUMN is_archived boolean NOT NULL DEFAULT false`
})
