import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { CaseCalendarEvent } from "../cases/CaseCalendarEvent.ts"
import { maxListed } from "../cases/newestOf.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { limitUpTo, PageCursor } from "../http/Page.ts"
import { CalendarEventId, CaseId, OrganizationId, UserId } from "../Ids.ts"

const { organizer: _, participants: __, ...shown } = CaseCalendarEvent.fields

/** A calendar event of a case, with the ids of the people who take part. */
export const CalendarEventOfCase = Schema.Struct({
  ...shown,
  organizerId: Schema.NullOr(UserId),
  participantIds: Schema.Array(UserId)
})
export type CalendarEventOfCase = typeof CalendarEventOfCase.Type

/** Internal: calendar events, for cases. */
export class CalendarEventsApi extends HttpApiGroup.make("calendarEvents")
  .add(
    // Those that start last first.
    HttpApiEndpoint.get("ofCase", "/internal/v1/organizations/:organizationId/cases/:caseId/calendar-events", {
      params: { organizationId: OrganizationId, caseId: CaseId },
      query: { before: Schema.optionalKey(PageCursor), limit: limitUpTo(maxListed) },
      success: Schema.Array(CalendarEventOfCase)
    }),
    // Cancelled ones included.
    HttpApiEndpoint.post("find", "/internal/v1/organizations/:organizationId/calendar-events/find", {
      params: { organizationId: OrganizationId },
      payload: Schema.Struct({ ids: Schema.Array(CalendarEventId) }),
      success: Schema.Array(CalendarEventOfCase)
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of scheduling that its callers load: this group alone. */
export const calendarEventsApi = HttpApi.make("scheduling").add(CalendarEventsApi)
