import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Finds the keys that are old enough to go. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX idempotency_keys_by_creation ON idempotency_keys (created_at)`
})
