import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Calendar events of cases. `agent_name` says who keeps an event: `custom` for us alone, the scheduling provider, which knows
 * it as `agent_event_id`, or whatever else the partner named. A cancelled one stays, marked as deleted. What is written about
 * it is sealed. `told_at` is when the newest of what the provider told was made.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE calendar_events (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      user_id uuid NOT NULL,
      agent_name text NOT NULL,
      agent_event_id text,
      title text NOT NULL,
      topic text,
      description text,
      color text,
      is_editable boolean NOT NULL,
      status text NOT NULL,
      starts_at timestamptz(3) NOT NULL,
      ends_at timestamptz(3) NOT NULL,
      timezone text NOT NULL,
      location text,
      meeting_link text,
      cancel_url text,
      reschedule_url text,
      meeting_notes text,
      meeting_provider text,
      organizer_id uuid,
      participant_ids uuid[] NOT NULL DEFAULT '{}',
      host text,
      cancellation text,
      told_at timestamptz(3),
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
  // An event of the provider names its own id alone.
  yield* sql`
    CREATE UNIQUE INDEX calendar_events_of_agent ON calendar_events (organization_id, agent_name, agent_event_id)
    WHERE agent_event_id IS NOT NULL
  `
  yield* sql`
    CREATE INDEX calendar_events_by_agent_event ON calendar_events (agent_event_id) WHERE agent_event_id IS NOT NULL
  `
})
