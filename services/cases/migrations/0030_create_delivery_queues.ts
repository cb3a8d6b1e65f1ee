import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What is to be sent next. A lane is what one endpoint is sent of one case: `waiting` deliveries, the first of which is due at
 * `due_at`. The queue of an endpoint is claimed by one process at a time, until `claimed_until`. It is due when the first of its
 * lanes is, and is looked for by how the last attempt went (`health`). `due_at` is null when nothing is to be sent, and before
 * `claimed_until` when something was added since the claim.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE delivery_lanes (
      organization_id uuid NOT NULL,
      endpoint_id uuid NOT NULL,
      lane uuid NOT NULL,
      waiting integer NOT NULL,
      due_at timestamptz(3),
      changed_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, endpoint_id, lane)
    )
  `
  yield* sql`
    CREATE INDEX delivery_lanes_due ON delivery_lanes (organization_id, endpoint_id, due_at) WHERE due_at IS NOT NULL
  `
  yield* sql`CREATE INDEX delivery_lanes_by_time ON delivery_lanes (changed_at)`
  yield* sql`
    CREATE TABLE delivery_queues (
      organization_id uuid NOT NULL,
      endpoint_id uuid NOT NULL,
      health text NOT NULL CHECK (health IN ('PROVEN', 'FRESH', 'FAILING')),
      is_paused boolean NOT NULL,
      slowed_until timestamptz(3),
      due_at timestamptz(3),
      claim_id uuid,
      claimed_until timestamptz(3),
      PRIMARY KEY (organization_id, endpoint_id),
      CHECK ((claim_id IS NULL) = (claimed_until IS NULL))
    )
  `
  yield* sql`CREATE INDEX delivery_queues_added_to ON delivery_queues (claim_id) WHERE due_at < claimed_until`
  yield* sql`
    CREATE INDEX delivery_queues_due ON delivery_queues (health, due_at) WHERE due_at IS NOT NULL AND NOT is_paused
  `
})
