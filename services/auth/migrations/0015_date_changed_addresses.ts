import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Addresses that were changed before it was noted when are as old as the last change of their record, and a blank street,
 * which was taken once, is none.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE users SET address = NULL WHERE btrim(address) = ''`
  yield* sql`
    UPDATE users SET address_told_at = updated_at WHERE version > 1 AND address IS NOT NULL AND address_told_at IS NULL
  `
})
