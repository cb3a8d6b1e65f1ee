import type { BookingRow } from "../bookings/BookingsRepo.ts"
import type { EventRow } from "../calendarEvents/EventRow.ts"
import type { Meeting } from "../provider/meetingOf.ts"
import { providerAgent } from "./providerAgent.ts"

/** Whose appointment it is, and how it was asked for. */
export type AppointmentRequest = Pick<BookingRow, "asked" | "caseId" | "id" | "organizationId" | "userId">

/** A new appointment, in which the patient of the case takes part. One without an id of the provider's is a test. */
export const appointmentOf = (
  { asked, caseId, id, organizationId, userId }: AppointmentRequest,
  meeting: Omit<Meeting, "agentEventId"> & { readonly agentEventId: string | null },
  now: Date
): EventRow => ({
  organizationId,
  id,
  caseId,
  userId,
  agentName: providerAgent,
  topic: null,
  description: null,
  color: null,
  isEditable: false,
  status: "SCHEDULED",
  timezone: asked.timezone,
  location: asked.location,
  meetingNotes: null,
  meetingProvider: asked.location,
  organizerId: null,
  participantIds: [userId],
  cancellation: null,
  toldAt: null,
  isDeleted: false,
  createdAt: now,
  updatedAt: now,
  ...meeting
})
