import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Calendar events of cases. `agent_name` says who keeps an event: `custom` for this service alone, the scheduling provider, which
 * knows it as `agent_event_id`, or whatever else the partner named. A cancelled event stays, marked as deleted. What is written about
 * it is sealed. `reported_at` is the provider's time of its newest report. `of_archived_case` repeats the state of the case, so that the
 * indexes of lists have the listed events alone; whoever adds an event holds the row of the case's snapshot meanwhile.
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
      reported_at timestamptz(3),
      is_deleted boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      of_archived_case boolean NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`
    CREATE INDEX calendar_events_by_case ON calendar_events (organization_id, case_id, starts_at, id)
    WHERE NOT is_deleted
  `
  // For the export of a patient, page by page, cancelled events included.
  yield* sql`CREATE INDEX calendar_events_by_patient ON calendar_events (organization_id, user_id, created_at, id)`
  yield* sql`
    CREATE INDEX calendar_events_listed ON calendar_events (organization_id, ends_at, id)
    WHERE NOT is_deleted AND NOT of_archived_case
  `
  yield* sql`
    CREATE INDEX calendar_events_listed_of_patient ON calendar_events (organization_id, user_id, ends_at, id)
    WHERE NOT is_deleted AND NOT of_archived_case
  `
  yield* sql`
    CREATE UNIQUE INDEX calendar_events_of_agent ON calendar_events (organization_id, agent_name, agent_event_id)
    WHERE agent_event_id IS NOT NULL
  `
  // A report of the provider names its own id alone, and no organization.
  yield* sql`
    CREATE INDEX calendar_events_by_agent_event ON calendar_events (agent_event_id) WHERE agent_event_id IS NOT NULL
  `
  // A sweep compares the appointments at the scheduling provider, of all organizations, by when they begin.
  yield* sql`
    CREATE INDEX calendar_events_of_meetings ON calendar_events (starts_at, agent_event_id)
    WHERE agent_name = 'calendly' AND agent_event_id IS NOT NULL AND NOT is_deleted
  `
})
