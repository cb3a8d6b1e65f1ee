import type { PagePosition } from "@care/domain/http"
import { type CaseId, OrganizationId } from "@care/domain/ids"
import { CalendarEventOfCase } from "@care/domain/scheduling"
import { sealed, sealedRow, sealedRowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

export const EventRow = sealedRow("calendar_events", ["organizationId", "id"], {
  ...CalendarEventOfCase.fields,
  organizationId: OrganizationId,
  startDateTime: Schema.Date,
  endDateTime: Schema.Date,
  meetingNotes: sealed(CalendarEventOfCase.fields.meetingNotes)
})

export const makeCalendarEventsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const events = yield* sealedRowsOf(EventRow)
  return {
    /** The events of a case that were not cancelled, those that start last first. */
    ofCase: (organizationId: OrganizationId, caseId: CaseId, before: PagePosition, limit: number) =>
      events.all(sql`
          SELECT organization_id, id, starts_at AS start_date_time, ends_at AS end_date_time, timezone, meeting_link,
                 cancel_url AS "cancelURL", reschedule_url AS "rescheduleURL", meeting_notes, meeting_provider,
                 organizer_id, participant_ids
          FROM calendar_events
          WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND NOT is_deleted
            AND (starts_at, id) < (${before.createdAt}, ${before.id})
          ORDER BY starts_at DESC, id DESC
          LIMIT ${limit}
        `)
  }
})
