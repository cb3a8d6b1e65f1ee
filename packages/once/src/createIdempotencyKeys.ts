import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Migration of a service with operations that take effect once: who works under which idempotency key (`holder`, until
 * `leased_until`), with which ids, and what was answered. `body_hash` is keyed, `answer` sealed. Each row is written again
 * with its answer, which is longer than the rest: on its own page, which has room for it, no index has to follow.
 */
export const createIdempotencyKeys = Effect.gen(function* () {
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
})
