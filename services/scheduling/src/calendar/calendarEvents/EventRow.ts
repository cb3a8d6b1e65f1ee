import { CalendarEventId, CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { type CalendarEventOfCase, CalendarEventStatus } from "@care/domain/scheduling"
import { erasedText, type OpenedRow, sealed, sealedRow } from "@care/phi"
import { Schema } from "effect"

const text = Schema.NullOr(Schema.String)

/** The host of an event, as its creator named them. */
const EventHost = Schema.Struct({ email: Schema.String, name: Schema.String })

/** Who cancelled an event and why; null where unknown. */
const EventCancellation = Schema.Struct({ canceledBy: text, reason: text })

/** A stored calendar event. Texts about the person or the meeting are sealed. */
export const EventRow = sealedRow("calendar_events", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: CalendarEventId,
  caseId: CaseId,
  userId: UserId,
  agentName: Schema.String,
  agentEventId: text,
  title: sealed(Schema.String, erasedText),
  topic: sealed(text),
  description: sealed(text),
  color: text,
  isEditable: Schema.Boolean,
  status: CalendarEventStatus,
  startsAt: Schema.Date,
  endsAt: Schema.Date,
  timezone: Schema.String,
  location: text,
  meetingLink: sealed(text),
  cancelUrl: sealed(text),
  rescheduleUrl: sealed(text),
  meetingNotes: sealed(text),
  meetingProvider: text,
  organizerId: Schema.NullOr(UserId),
  participantIds: Schema.Array(UserId),
  host: sealed(Schema.NullOr(EventHost)),
  cancellation: sealed(Schema.NullOr(EventCancellation)),
  reportedAt: Schema.NullOr(Schema.Date),
  isDeleted: Schema.Boolean,
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})
export type EventRow = OpenedRow<typeof EventRow>

/** Returns an event in the form of the internal API for cases. */
export const eventOfCase = ({
  cancelUrl,
  endsAt,
  id,
  meetingLink,
  meetingNotes,
  meetingProvider,
  organizerId,
  participantIds,
  rescheduleUrl,
  startsAt,
  timezone
}: EventRow): CalendarEventOfCase => ({
  id,
  startDateTime: startsAt,
  endDateTime: endsAt,
  timezone,
  meetingLink: meetingLink ?? "",
  cancelURL: cancelUrl ?? "",
  rescheduleURL: rescheduleUrl ?? "",
  meetingNotes: meetingNotes ?? "",
  meetingProvider: meetingProvider ?? "",
  organizerId,
  participantIds
})
