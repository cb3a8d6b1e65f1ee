import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Removes the calls whose operations hold a hash without a key of emails and phone numbers. One that was under way has another
 * operation when it is asked for again: a customer is looked for first, and an intent of whose secret nobody was told is made anew.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM stripe_calls WHERE operation ~ '^(customer|intent-[0-9a-f-]{36})-[0-9a-f]{64}$'`
})
