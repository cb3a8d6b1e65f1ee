import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `one_time_codes` has a row for each patient: the newest code, and what is counted against the caps, newest first (`sent_at`,
 * `wrong_at`), so that one update decides about both. The counts outlive the code: a code that was used or voided leaves the row
 * without identifier and hash. `code_requests` has a keyed hash of each identifier that anybody asked a code for.
 *
 * Requests that concern no patient are counted on the 64 rows of nobody in each table, so that they cost the same. Because of
 * those rows the tables reference neither users nor organizations.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE one_time_codes (
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      id uuid NOT NULL,
      identifier text,
      code_hash text,
      attempts integer NOT NULL DEFAULT 0,
      max_attempts integer NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      used_at timestamptz(3),
      next_code_at timestamptz(3) NOT NULL,
      sent_at timestamptz(3)[] NOT NULL DEFAULT '{}',
      wrong_at timestamptz(3)[] NOT NULL DEFAULT '{}',
      wrong_in_a_row integer NOT NULL DEFAULT 0,
      PRIMARY KEY (organization_id, user_id)
    )
  `
  yield* sql`CREATE INDEX one_time_codes_by_expiry ON one_time_codes (expires_at)`
  yield* sql`
    CREATE TABLE code_requests (
      organization_id uuid NOT NULL,
      identifier_hash text NOT NULL,
      requested_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, identifier_hash)
    )
  `
  yield* sql`CREATE INDEX code_requests_by_time ON code_requests (requested_at)`
  yield* sql`
    INSERT INTO one_time_codes (
      organization_id, user_id, id, identifier, code_hash, max_attempts, expires_at, next_code_at
    )
    SELECT '00000000-0000-4000-8000-000000000000', user_id, user_id, '', repeat('0', 128), 2147483647, 'infinity', 'infinity'
    FROM generate_series(0, 63) AS number
    CROSS JOIN LATERAL (SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(number), 12, '0'))::uuid AS user_id) AS nobody
  `
  yield* sql`
    INSERT INTO code_requests (organization_id, identifier_hash, requested_at)
    SELECT '00000000-0000-4000-8000-000000000000', number::text, 'infinity' FROM generate_series(0, 63) AS number
  `
})
