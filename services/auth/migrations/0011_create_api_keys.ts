import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A key decides the organization of a request, so it is found by its hash alone. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE api_keys (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL REFERENCES organizations (id),
      label text,
      prefix text NOT NULL,
      key_hash text NOT NULL UNIQUE,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3),
      last_used_at timestamptz(3),
      revoked_at timestamptz(3)
    )
  `
  yield* sql`CREATE INDEX api_keys_by_organization ON api_keys (organization_id, created_at, id)`
})
