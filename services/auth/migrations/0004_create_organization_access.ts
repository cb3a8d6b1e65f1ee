import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which users an organization knows, and as what. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE organization_access (
      organization_id uuid NOT NULL REFERENCES organizations (id),
      user_id uuid NOT NULL REFERENCES users (id),
      role text NOT NULL,
      licensed_states text[] NOT NULL DEFAULT '{}',
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, user_id)
    )
  `
  yield* sql`CREATE INDEX organization_access_by_user ON organization_access (user_id)`
})
