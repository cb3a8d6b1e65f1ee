import { Schema, Struct } from "effect"
import { UserSummary } from "../auth/User.ts"
import { CaseStatus } from "../cases/CaseStatus.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CalendarEventId, CaseId } from "../Ids.ts"

export const CalendarEventStatus = Schema.Literals(["SCHEDULED", "COMPLETED", "CANCELLED"])

/** The place and host of an event, and the agent's pages for moving or cancelling it. */
const MeetingDetails = Schema.Struct({
  timezone: Schema.String,
  location: Schema.String,
  meetingLink: Schema.String,
  meetingProvider: Schema.String,
  meetingNotes: Schema.String,
  cancelURL: Schema.String,
  rescheduleURL: Schema.String,
  host: Schema.NullOr(Schema.Struct({ email: Schema.String, name: Schema.String }))
}).annotate({ identifier: "MeetingDetails" })

/** A calendar event of the appointment list. Unknown texts are empty. */
export const ListedAppointment = Schema.Struct({
  id: CalendarEventId,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  title: Schema.String,
  start: Timestamp,
  end: Timestamp,
  topic: Schema.String,
  description: Schema.String,
  color: Schema.String,
  isEditable: Schema.Boolean,
  agentEventId: Schema.String,
  agentName: Schema.String,
  status: CalendarEventStatus,
  isDeleted: Schema.Boolean,
  meetingDetails: MeetingDetails,
  case: Schema.Struct({ id: CaseId, shortId: Schema.String, status: CaseStatus, title: Schema.String }),
  submitter: Schema.Struct(Struct.pick(UserSummary.fields, ["id", "firstName", "lastName", "email"]))
}).annotate({ identifier: "ListedAppointment" })
export type ListedAppointment = typeof ListedAppointment.Type

/** The maximum number of appointments in one answer: those that end first. */
export const maxAppointments = 1000
