import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether an event is of the provider's account of sandboxes. It waits for an appointment of one alone. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE provider_events ADD COLUMN is_test boolean NOT NULL DEFAULT false`
})
