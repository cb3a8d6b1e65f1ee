import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The events of the gateway, by its own ids, and what was done about each. An event may concern no payment. Of its content only
 * the intent's id is kept; the rest is merged into `payment_intents`.
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
  yield* sql`CREATE INDEX payment_events_unhandled ON payment_events (created_at, id) WHERE result = 'PENDING'`
})
