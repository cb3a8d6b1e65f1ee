import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The browser and system of a session of staff in words, and the passkey that it began with. Older sessions have neither. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE staff_sessions ADD COLUMN client text, ADD COLUMN passkey_id uuid`
})
