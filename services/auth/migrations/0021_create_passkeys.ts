import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The passkeys of staff, and the hashes of their recovery codes. A challenge is removed when it is answered. That of a sign-in without a
 * session belongs to the organization of nobody, as requests for codes do.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE passkeys (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      credential_id text NOT NULL,
      public_key text NOT NULL,
      counter bigint NOT NULL,
      transports text[] NOT NULL,
      name text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      last_used_at timestamptz(3),
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, user_id, credential_id),
      FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
    )
  `
  // Before a sign-in only the user is known, whom the passkey names.
  yield* sql`CREATE INDEX passkeys_anywhere_by_user ON passkeys (user_id)`
  yield* sql`
    CREATE TABLE passkey_challenges (
      organization_id uuid NOT NULL,
      challenge_hash text NOT NULL,
      purpose text NOT NULL,
      session_id uuid,
      expires_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, challenge_hash)
    )
  `
  yield* sql`CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at)`
  yield* sql`
    CREATE TABLE recovery_codes (
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      code_hash text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      used_at timestamptz(3),
      PRIMARY KEY (organization_id, user_id, code_hash),
      FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
    )
  `
})
