import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `idempotency_keys` are the operations that take effect once: who works under which key (`holder`, until `leased_until`), with
 * which ids, and what was answered. `key` and `body_hash` are keyed hashes, `answer` is sealed. Each row is written again with its
 * answer, which is longer than the rest: half of each page is left free for that, so that no index has to follow.
 *
 * `idempotency_secrets` has the one secret under which the service hashes the keys, sealed by `PHI_KEY`. It stays the same when
 * `PHI_KEY` is rotated.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE idempotency_keys (
      organization_id uuid NOT NULL,
      operation text NOT NULL,
      key text NOT NULL,
      body_hash text NOT NULL,
      ids jsonb NOT NULL,
      holder uuid NOT NULL,
      leased_until timestamptz(3) NOT NULL,
      answer text,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, operation, key)
    ) WITH (fillfactor = 50)
  `
  yield* sql`CREATE INDEX idempotency_keys_by_creation ON idempotency_keys (created_at)`
  yield* sql`CREATE TABLE idempotency_secrets (id integer PRIMARY KEY CHECK (id = 1), secret text NOT NULL)`
})
