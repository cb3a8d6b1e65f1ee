import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A family is one sign-in. Its row is locked by rotation and revocation, so that they take turns. It expires with its newest
 * token, and the clean-up finds it by that. A token is also looked for by its hash alone, because one of another organization is
 * refused with a message of its own. Its row is updated once, when it is revoked, on a page that has room for it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE refresh_token_families (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL,
      absolute_expires_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      revoked_at timestamptz(3),
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX refresh_token_families_by_user ON refresh_token_families (organization_id, user_id)`
  yield* sql`CREATE INDEX refresh_token_families_by_expiry ON refresh_token_families (expires_at)`
  yield* sql`
    CREATE TABLE refresh_tokens (
      organization_id uuid NOT NULL,
      token_hash text NOT NULL,
      family_id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      revoked_at timestamptz(3),
      PRIMARY KEY (organization_id, token_hash),
      FOREIGN KEY (organization_id, family_id) REFERENCES refresh_token_families (organization_id, id) ON DELETE CASCADE
    ) WITH (fillfactor = 80)
  `
  yield* sql`CREATE INDEX refresh_tokens_by_family ON refresh_tokens (organization_id, family_id)`
  yield* sql`CREATE INDEX refresh_tokens_by_hash ON refresh_tokens (token_hash)`
})
