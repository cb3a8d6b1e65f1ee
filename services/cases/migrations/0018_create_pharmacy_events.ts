import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The events that the pharmacy told of orders, each of which takes effect once. They are kept for a while only. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE pharmacy_events (
      organization_id uuid NOT NULL,
      event_id text NOT NULL,
      order_id uuid NOT NULL,
      received_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, event_id),
      FOREIGN KEY (organization_id, order_id) REFERENCES orders (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX pharmacy_events_by_time ON pharmacy_events (received_at)`
})
