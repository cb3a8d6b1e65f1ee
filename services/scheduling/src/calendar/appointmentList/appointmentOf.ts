import type { UserSummary } from "@care/domain/auth"
import type { CaseSnapshot } from "@care/domain/cases"
import type { ListedAppointment } from "@care/domain/scheduling"
import type { EventRow } from "../calendarEvents/EventRow.ts"

/** Returns an event as the list of appointments shows it. */
export const appointmentOf = (
  event: EventRow,
  { caseId, shortId, status, title }: CaseSnapshot,
  { email, firstName, id, lastName }: UserSummary
): ListedAppointment => ({
  id: event.id,
  createdAt: event.createdAt,
  updatedAt: event.updatedAt,
  title: event.title,
  start: event.startsAt,
  end: event.endsAt,
  topic: event.topic ?? "",
  description: event.description ?? "",
  color: event.color ?? "",
  isEditable: event.isEditable,
  agentEventId: event.agentEventId ?? "",
  agentName: event.agentName,
  status: event.status,
  isDeleted: event.isDeleted,
  meetingDetails: {
    timezone: event.timezone,
    location: event.location ?? "",
    meetingLink: event.meetingLink ?? "",
    meetingProvider: event.meetingProvider ?? "",
    meetingNotes: event.meetingNotes ?? "",
    cancelURL: event.cancelUrl ?? "",
    rescheduleURL: event.rescheduleUrl ?? "",
    host: event.host
  },
  case: { id: caseId, shortId, status, title },
  submitter: { id, firstName, lastName, email }
})
