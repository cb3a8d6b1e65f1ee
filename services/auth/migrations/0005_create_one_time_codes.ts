import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * One code a patient: a newer one takes the place of the older. The 64 rows of nobody are what attempts to sign in as
 * somebody unknown are counted on, so that they cost what attempts as a patient do; because of them the table references
 * neither users nor organizations.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE one_time_codes (
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      id uuid NOT NULL,
      identifier text NOT NULL,
      code_hash text NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      max_attempts integer NOT NULL,
      requested_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      used_at timestamptz(3),
      PRIMARY KEY (organization_id, user_id)
    )
  `
  yield* sql`CREATE INDEX one_time_codes_by_expiry ON one_time_codes (expires_at)`
  yield* sql`
    INSERT INTO one_time_codes (
      organization_id, user_id, id, identifier, code_hash, max_attempts, requested_at, expires_at
    )
    SELECT '00000000-0000-4000-8000-000000000000', nobody.id, nobody.id, '', repeat('0', 128), 2147483647, now(), 'infinity'
    FROM (
      SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(number), 12, '0'))::uuid AS id FROM generate_series(0, 63) number
    ) nobody
  `
})
