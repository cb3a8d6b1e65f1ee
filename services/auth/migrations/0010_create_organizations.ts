import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The partners of the platform. `version` counts the changes that are replicated to other services. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE organizations (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      contact_email text,
      is_disabled boolean NOT NULL DEFAULT false,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE INDEX organizations_by_creation ON organizations (created_at, id)`
})
