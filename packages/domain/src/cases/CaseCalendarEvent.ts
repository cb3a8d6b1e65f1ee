import { Schema } from "effect"
import { UserSummary } from "../auth/User.ts"
import { Timestamp } from "../http/Timestamp.ts"

/** A calendar event of the case detail. Unknown texts are empty. */
export const CaseCalendarEvent = Schema.Struct({
  id: Schema.String,
  startDateTime: Timestamp,
  endDateTime: Timestamp,
  timezone: Schema.String,
  meetingLink: Schema.String,
  cancelURL: Schema.String,
  rescheduleURL: Schema.String,
  meetingNotes: Schema.String,
  meetingProvider: Schema.String,
  organizer: Schema.NullOr(UserSummary),
  participants: Schema.Array(UserSummary)
}).annotate({ identifier: "CaseCalendarEvent" })
export type CaseCalendarEvent = typeof CaseCalendarEvent.Type
