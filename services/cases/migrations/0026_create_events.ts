import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What partners are told of. An event is an entry of its case's record, by its id and its number; here it has its place
 * among all events (`position`), which it gets after it was committed, one after the other, so that nothing ever comes
 * before what was read already. The few entries that wait for that are all of their index. `data` has ids and statuses.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE case_activity ADD COLUMN awaits_event boolean NOT NULL DEFAULT false`
  yield* sql`
    CREATE INDEX case_activity_awaiting_event ON case_activity (at, organization_id, case_id, sequence)
    WHERE awaits_event
  `
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
  yield* sql`CREATE INDEX events_by_time ON events (created_at)`
})
