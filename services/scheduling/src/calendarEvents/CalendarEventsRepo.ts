import { CalendarEventOfCase, CaseId, OrganizationId } from "@care/domain"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

const EventRow = Schema.Struct({ ...CalendarEventOfCase.fields, startDateTime: Schema.Date, endDateTime: Schema.Date })

// Far more than any case has; a list without a bound could not be read.
const longestList = 1000

/** SQL of calendar events. */
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
        ofCase: (organizationId, caseId) => Effect.orDie(ofCase({ organizationId, caseId }))
      })
    })
  )
}
