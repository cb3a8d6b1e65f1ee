import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The list of appointments, as it is sorted: of an organization, and of a patient. Those that last longer than a day are few, and
 * have indexes of their own, because what ends long after a range may have begun before its end (`CalendarEventsRepo`).
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE INDEX calendar_events_listed ON calendar_events (organization_id, ends_at, id)
    WHERE NOT is_deleted AND NOT of_archived_case
  `
  yield* sql`
    CREATE INDEX calendar_events_listed_of_patient ON calendar_events (organization_id, user_id, ends_at, id)
    WHERE NOT is_deleted AND NOT of_archived_case
  `
  yield* sql`
    CREATE INDEX calendar_events_long ON calendar_events (organization_id, ends_at, id)
    WHERE NOT is_deleted AND NOT of_archived_case AND ends_at - starts_at > interval '1 day'
  `
  yield* sql`
    CREATE INDEX calendar_events_long_of_patient ON calendar_events (organization_id, user_id, ends_at, id)
    WHERE NOT is_deleted AND NOT of_archived_case AND ends_at - starts_at > interval '1 day'
  `
})
