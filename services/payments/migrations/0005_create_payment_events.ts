import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What came from the gateway, and what was done: an event by the gateway's id, which may concern nobody's payment. Of what
 * it says nothing is kept but the intent; what that told is in `payment_intents`.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payment_events (
      event_id text PRIMARY KEY,
      id uuid NOT NULL,
      type text NOT NULL,
      intent_id text,
      happened_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      handled_at timestamptz(3),
      result text NOT NULL,
      status text
    )
  `
  yield* sql`CREATE INDEX payment_events_newest ON payment_events (created_at, id)`
  yield* sql`CREATE INDEX payment_events_of_intent ON payment_events (intent_id, created_at, id)`
})
