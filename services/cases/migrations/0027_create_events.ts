import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The events that partners are sent. An event has the id of a row of `case_activity`. Its `position` among all events is given after
 * that row was committed, one after the other, so that nothing ever comes before what was already read. `data` has ids and statuses.
 *
 * `own_events` are events about webhooks themselves that wait for their position: for one endpoint only, or for all but one. A row is
 * removed when the event has its position.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE SEQUENCE event_positions`
  yield* sql`
    CREATE TABLE events (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      position bigint NOT NULL,
      type text NOT NULL,
      case_id uuid,
      is_test boolean NOT NULL,
      at timestamptz(3) NOT NULL,
      data jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
  yield* sql`CREATE UNIQUE INDEX events_by_position ON events (organization_id, position)`
  yield* sql`CREATE INDEX events_of_case ON events (organization_id, case_id, position) WHERE case_id IS NOT NULL`
  yield* sql`CREATE INDEX events_of_organization ON events (organization_id, created_at, id)`
  yield* sql`CREATE INDEX events_by_time ON events (created_at)`
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
