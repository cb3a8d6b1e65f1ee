import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Migration of a service with operations that take effect once: the secret under which it hashes idempotency keys, sealed by
 * `PHI_KEY`. It stays the same when `PHI_KEY` is rotated.
 */
export const createIdempotencySecrets = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE idempotency_secrets (id integer PRIMARY KEY CHECK (id = 1), secret text NOT NULL)`
})
