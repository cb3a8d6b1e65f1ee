import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The page of the console to which a sign-in leads. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sign_ons_in_progress ADD COLUMN next text`
})
