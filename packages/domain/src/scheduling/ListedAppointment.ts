import { Schema, Struct } from "effect"
import { UserSummary } from "../auth/User.ts"
import { CaseStatus } from "../cases/CaseStatus.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CalendarEventId, CaseId } from "../Ids.ts"
import { CalendarEventStatus } from "./CalendarEventStatus.ts"

const text = Schema.NullOr(Schema.String)

/** Where and with whom an event is, and how it is moved or cancelled where its agent has pages for that. */
const MeetingDetails = Schema.Struct({
  timezone: Schema.String,
  location: text,
  meetingLink: text,
  meetingProvider: text,
  meetingNotes: text,
  cancelURL: text,
  rescheduleURL: text,
  host: Schema.NullOr(Schema.Struct({ email: Schema.String, name: Schema.String }))
}).annotate({ identifier: "MeetingDetails" })

/** A calendar event as the list of appointments shows it. */
export const ListedAppointment = Schema.Struct({
  id: CalendarEventId,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  title: Schema.String,
  start: Timestamp,
  end: Timestamp,
  topic: text,
  description: text,
  color: text,
  isEditable: Schema.Boolean,
  agentEventId: text,
  agentName: Schema.String,
  status: CalendarEventStatus,
  isDeleted: Schema.Boolean,
  meetingDetails: MeetingDetails,
  case: Schema.Struct({ id: CaseId, shortId: Schema.String, status: CaseStatus, title: Schema.String }),
  submitter: Schema.Struct(Struct.pick(UserSummary.fields, ["id", "firstName", "lastName", "email"]))
}).annotate({ identifier: "ListedAppointment" })
export type ListedAppointment = typeof ListedAppointment.Type

/** The most appointments of one answer: those that end first. */
export const mostAppointments = 1000
