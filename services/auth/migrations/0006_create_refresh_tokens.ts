import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A family is one sign-in; its row is what rotation and revocation lock, so that they take turns. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE refresh_token_families (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL REFERENCES organizations (id),
      user_id uuid NOT NULL REFERENCES users (id),
      created_at timestamptz(3) NOT NULL,
      absolute_expires_at timestamptz(3) NOT NULL,
      revoked_at timestamptz(3)
    )
  `
  yield* sql`CREATE INDEX refresh_token_families_by_expiry ON refresh_token_families (absolute_expires_at)`
  yield* sql`
    CREATE TABLE refresh_tokens (
      token_hash text PRIMARY KEY,
      family_id uuid NOT NULL REFERENCES refresh_token_families (id) ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      revoked_at timestamptz(3)
    )
  `
  yield* sql`CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family_id, expires_at)`
})
