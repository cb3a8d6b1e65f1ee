import type { EventRow } from "../../calendar/index.ts"
import type { CurrentMeeting } from "../../provider/index.ts"
import type { BookingRow } from "../BookingsRepo.ts"
import { providerAgent } from "./providerAgent.ts"

/** The part of a booking that an appointment is made of. */
type AppointmentRequest = Pick<BookingRow, "asked" | "caseId" | "id" | "organizationId" | "userId">

/**
 * Returns the new appointment of a meeting, with the patient of the case as participant. The meeting may be cancelled. Without an id at
 * the provider the appointment is a test.
 */
export const appointmentOf = (
  { asked, caseId, id, organizationId, userId }: AppointmentRequest,
  { timezone, ...meeting }: Omit<CurrentMeeting, "agentEventId"> & { readonly agentEventId: string | null },
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
  status: meeting.cancellation === null ? "SCHEDULED" : "CANCELLED",
  timezone: timezone ?? asked.timezone,
  location: asked.location,
  meetingNotes: null,
  meetingProvider: asked.location,
  organizerId: null,
  participantIds: [userId],
  reportedAt: null,
  isDeleted: meeting.cancellation !== null,
  createdAt: now,
  updatedAt: now,
  ...meeting
})
