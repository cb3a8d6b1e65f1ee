import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which organizations are disabled, as auth told it last. One of which nothing was told is not. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE organization_facts (
      organization_id uuid PRIMARY KEY,
      version integer NOT NULL,
      is_disabled boolean NOT NULL
    )
  `
})
