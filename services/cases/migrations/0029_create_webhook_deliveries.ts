import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Events on their way to endpoints, one row for each event and endpoint, and the attempts. Of a `lane` (a case, or else the event
 * itself) the pending delivery with the lowest `position` goes first. `attempts_left` is until it is given up. `created_at` is
 * the event's, so that both are removed at the same time. The endpoint's answer is sealed: anybody may answer anything.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE webhook_deliveries (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      endpoint_id uuid NOT NULL,
      event_id uuid NOT NULL,
      event_type text NOT NULL,
      case_id uuid,
      lane uuid NOT NULL,
      position bigint NOT NULL,
      status text NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
      attempts integer NOT NULL,
      attempts_left integer NOT NULL,
      next_attempt_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, endpoint_id, event_id),
      CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL))
    )
  `
  yield* sql`
    CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (organization_id, endpoint_id, lane, position)
    WHERE status = 'PENDING'
  `
  yield* sql`
    CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (organization_id, endpoint_id, created_at DESC, id DESC)
  `
  yield* sql`
    CREATE INDEX webhook_deliveries_by_status
    ON webhook_deliveries (organization_id, endpoint_id, status, created_at DESC, id DESC)
  `
  yield* sql`
    CREATE INDEX webhook_deliveries_of_case
    ON webhook_deliveries (organization_id, endpoint_id, case_id, created_at DESC, id DESC) WHERE case_id IS NOT NULL
  `
  yield* sql`CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at)`
  yield* sql`
    CREATE TABLE webhook_attempts (
      organization_id uuid NOT NULL,
      delivery_id uuid NOT NULL,
      number integer NOT NULL,
      at timestamptz(3) NOT NULL,
      duration_millis integer NOT NULL,
      status integer,
      failure text,
      answer text,
      PRIMARY KEY (organization_id, delivery_id, number),
      FOREIGN KEY (organization_id, delivery_id) REFERENCES webhook_deliveries (organization_id, id) ON DELETE CASCADE
    )
  `
})
