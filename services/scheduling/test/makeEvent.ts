import { randomUUID } from "node:crypto"
import { CalendarEventId, CaseId, OrganizationId, UserId } from "@care/domain/ids"
import type { EventRow } from "../src/calendar/calendarEvents/EventRow.ts"

const at = new Date("2026-03-01T10:00:00.000Z")

/** Makes a calendar event of half an hour, by default of a new case. */
export const makeEvent = (changes: Partial<EventRow> = {}): EventRow => ({
  organizationId: OrganizationId.make(randomUUID()),
  id: CalendarEventId.make(randomUUID()),
  caseId: CaseId.make(randomUUID()),
  userId: UserId.make(randomUUID()),
  agentName: "custom",
  agentEventId: null,
  title: "Follow-up visit",
  topic: null,
  description: null,
  color: null,
  isEditable: true,
  status: "SCHEDULED",
  startsAt: at,
  endsAt: new Date(at.getTime() + 30 * 60_000),
  timezone: "America/New_York",
  location: "zoom_conference",
  meetingLink: "https://meet.example/1",
  cancelUrl: null,
  rescheduleUrl: null,
  meetingNotes: null,
  meetingProvider: null,
  organizerId: null,
  participantIds: [],
  host: null,
  cancellation: null,
  reportedAt: null,
  isDeleted: false,
  createdAt: at,
  updatedAt: at,
  ...changes
})
