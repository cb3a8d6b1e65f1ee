import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Logins with a password. The login of a deleted user stays, so that nobody else takes it over by a change of email.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE credentials (
      login_email text PRIMARY KEY,
      user_id uuid NOT NULL UNIQUE REFERENCES users (id),
      password_hash text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    )
  `
})
