import type { EventRow } from "../../calendar/index.ts"
import type { MeetingNow } from "../../provider/index.ts"
import type { BookingRow } from "../BookingsRepo.ts"
import { providerAgent } from "./providerAgent.ts"

/** Whose appointment it is, and how it was asked for. */
type AppointmentRequest = Pick<BookingRow, "asked" | "caseId" | "id" | "organizationId" | "userId">

/** A new appointment, in which the patient of the case takes part: it may have been called off by now. One without an id of the provider's is a test. */
export const appointmentOf = (
  { asked, caseId, id, organizationId, userId }: AppointmentRequest,
  { timezone, ...meeting }: Omit<MeetingNow, "agentEventId"> & { readonly agentEventId: string | null },
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
