import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Calendar events of cases. A cancelled one stays, marked as deleted, and out of the index. Notes are sealed. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE calendar_events (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      starts_at timestamptz(3) NOT NULL,
      ends_at timestamptz(3) NOT NULL,
      timezone text NOT NULL,
      meeting_link text,
      cancel_url text,
      reschedule_url text,
      meeting_notes text,
      meeting_provider text,
      organizer_id uuid,
      participant_ids uuid[] NOT NULL DEFAULT '{}',
      is_deleted boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`
    CREATE INDEX calendar_events_by_case ON calendar_events (organization_id, case_id, starts_at, id)
    WHERE NOT is_deleted
  `
})
