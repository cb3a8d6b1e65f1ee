import { Schema } from "effect"
import { UserSummary } from "../auth/User.ts"
import { Timestamp } from "../http/Timestamp.ts"

/** A calendar event as case detail shows it. */
export const CaseCalendarEvent = Schema.Struct({
  id: Schema.String,
  startDateTime: Timestamp,
  endDateTime: Timestamp,
  timezone: Schema.String,
  meetingLink: Schema.NullOr(Schema.String),
  cancelURL: Schema.NullOr(Schema.String),
  rescheduleURL: Schema.NullOr(Schema.String),
  meetingNotes: Schema.NullOr(Schema.String),
  meetingProvider: Schema.NullOr(Schema.String),
  organizer: Schema.NullOr(UserSummary),
  participants: Schema.Array(UserSummary)
}).annotate({ identifier: "CaseCalendarEvent" })
export type CaseCalendarEvent = typeof CaseCalendarEvent.Type
