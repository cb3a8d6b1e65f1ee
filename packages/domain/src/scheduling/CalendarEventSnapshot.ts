import { Schema } from "effect"
import { makeReplica } from "../http/makeReplica.ts"
import { CalendarEventId, CaseId, OrganizationId } from "../Ids.ts"

/** States that a case has a calendar event (version 1), or that the event was cancelled (version 2). */
export const CalendarEventSnapshot = Schema.Struct({
  organizationId: OrganizationId,
  caseId: CaseId,
  eventId: CalendarEventId,
  version: Schema.Literals([1, 2])
})
export type CalendarEventSnapshot = typeof CalendarEventSnapshot.Type

/** The cases service stores which calendar events a case has, and which were cancelled. */
export const calendarEventReplica = makeReplica("calendar-events", "cases", CalendarEventId, CalendarEventSnapshot)
