import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Events of webhooks themselves that wait for their place among all events: to be told to one endpoint only, or to all but
 * one. A row is gone when the event has its place.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE own_events (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      type text NOT NULL,
      at timestamptz(3) NOT NULL,
      data jsonb NOT NULL,
      only_endpoint uuid,
      except_endpoint uuid,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX own_events_by_time ON own_events (at, organization_id, id)`
})
