import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which organizations are disabled, as auth last sent it. An organization without a row is not. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE organization_snapshots (
      organization_id uuid PRIMARY KEY,
      version integer NOT NULL,
      is_disabled boolean NOT NULL
    )
  `
})
