import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Logins with a password. The login of a deleted user stays, so that nobody else takes it over by a change of email. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE credentials (
      organization_id uuid NOT NULL,
      login_email text NOT NULL,
      user_id uuid NOT NULL,
      password_hash text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, login_email),
      UNIQUE (organization_id, user_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
    )
  `
})
