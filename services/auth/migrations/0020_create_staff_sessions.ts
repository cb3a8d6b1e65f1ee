import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Sessions of staff. The token is found by its hash alone, because the session tells the organization, and an operator's path names the id
 * alone. `last_used_at` is written once a minute at most. A session that rises in rights ends, and another one begins.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE staff_sessions (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      token_hash text NOT NULL,
      kind text NOT NULL,
      state text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      last_used_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      stepped_up_at timestamptz(3),
      ended_at timestamptz(3),
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX staff_sessions_by_hash ON staff_sessions (token_hash)`
  yield* sql`CREATE INDEX staff_sessions_by_id ON staff_sessions (id)`
  yield* sql`CREATE INDEX staff_sessions_by_user ON staff_sessions (organization_id, user_id, created_at)`
  yield* sql`CREATE INDEX staff_sessions_by_expiry ON staff_sessions (expires_at)`
})
