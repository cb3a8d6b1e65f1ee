import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { nameUpTo, nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { CalendarTime } from "../http/Timestamp.ts"
import { TimeZone } from "../http/TimeZone.ts"
import { WebUrl } from "../http/WebUrl.ts"

export const MeetingLocation = Schema.Literals([
  "google_conference",
  "zoom_conference",
  "gotomeeting_conference",
  "microsoft_teams_conference",
  "webex_conference"
])
export type MeetingLocation = typeof MeetingLocation.Type

/** The agent of events that exist only here, which partners create and cancel. */
export const customAgent = "custom"

/** A partner's new event in the calendar of a case. `provider` is the host. */
export const NewCalendarEvent = Schema.Struct({
  title: nonBlankUpTo(lengths.line),
  agentName: nonBlankUpTo(lengths.name).annotate({
    description: "`custom`. Events of other agents cannot be cancelled with CANCEL_CALENDAR_EVENT"
  }),
  description: Schema.optional(textUpTo(lengths.paragraph)),
  startTime: CalendarTime,
  endTime: CalendarTime,
  timeZone: TimeZone,
  meetingLink: WebUrl,
  location: MeetingLocation,
  provider: Schema.optional(Schema.Struct({ email: Email, name: nameUpTo(lengths.name) }))
})
export type NewCalendarEvent = typeof NewCalendarEvent.Type
