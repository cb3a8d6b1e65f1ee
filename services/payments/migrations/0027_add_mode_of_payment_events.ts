import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether the gateway's account of sandboxes sent an event, which shows it alone. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE payment_events ADD COLUMN is_test boolean NOT NULL DEFAULT false`
})
