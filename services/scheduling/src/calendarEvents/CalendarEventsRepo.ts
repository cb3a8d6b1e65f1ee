import { CalendarEventOfCase, CaseId, OrganizationId } from "@care/domain"
import { PhiCipher } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

const EventRow = Schema.Struct({ ...CalendarEventOfCase.fields, startDateTime: Schema.Date, endDateTime: Schema.Date })

// Far more than any case has; a list without a bound could not be read.
const longestList = 1000

/** SQL of calendar events. Notes are stored sealed. */
export class CalendarEventsRepo extends Context.Service<
  CalendarEventsRepo,
  {
    /** The events of a case that were not cancelled, in the order of their start. */
    readonly ofCase: (
      organizationId: OrganizationId,
      caseId: CaseId
    ) => Effect.Effect<ReadonlyArray<CalendarEventOfCase>>
  }
>()("@care/scheduling/calendarEvents/CalendarEventsRepo") {
  static readonly layer = Layer.effect(
    CalendarEventsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cipher = yield* PhiCipher
      const ofCase = SqlSchema.findAll({
        Request: Schema.Struct({ organizationId: OrganizationId, caseId: CaseId }),
        Result: EventRow,
        execute: ({ caseId, organizationId }) => sql`
          SELECT id, starts_at AS start_date_time, ends_at AS end_date_time, timezone, meeting_link,
                 cancel_url AS "cancelURL", reschedule_url AS "rescheduleURL", meeting_notes, meeting_provider,
                 organizer_id, participant_ids
          FROM calendar_events
          WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND NOT is_deleted
          ORDER BY starts_at, id
          LIMIT ${longestList}
        `
      })
      return CalendarEventsRepo.of({
        ofCase: (organizationId, caseId) =>
          ofCase({ organizationId, caseId }).pipe(
            Effect.map((events) =>
              events.map(({ meetingNotes, ...event }) => ({
                ...event,
                meetingNotes: meetingNotes === null ? null : cipher.open(meetingNotes)
              }))
            ),
            Effect.orDie
          )
      })
    })
  )
}
