import { CalendarEventOfCase, type CaseId, type OrganizationId } from "@care/domain"
import { PhiCipher, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const events = rowsOf(
  Schema.Struct({ ...CalendarEventOfCase.fields, startDateTime: Schema.Date, endDateTime: Schema.Date })
)

// Far more than any case has; a list without a bound could not be read.
const longestList = 1000

/** SQL of calendar events. Notes are stored sealed. */
export const makeCalendarEventsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  return {
    /** The events of a case that were not cancelled, in the order of their start. */
    ofCase: (organizationId: OrganizationId, caseId: CaseId) =>
      events
        .all(sql`
          SELECT id, starts_at AS start_date_time, ends_at AS end_date_time, timezone, meeting_link,
                 cancel_url AS "cancelURL", reschedule_url AS "rescheduleURL", meeting_notes, meeting_provider,
                 organizer_id, participant_ids
          FROM calendar_events
          WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND NOT is_deleted
          ORDER BY starts_at, id
          LIMIT ${longestList}
        `)
        .pipe(
          Effect.map((rows) =>
            rows.map(({ meetingNotes, ...event }) => ({
              ...event,
              meetingNotes: meetingNotes === null ? null : cipher.open(meetingNotes)
            }))
          )
        )
  }
})
