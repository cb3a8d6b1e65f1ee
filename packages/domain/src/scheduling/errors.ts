import { Schema } from "effect"
import { CalendarEventId } from "../Ids.ts"

/** The organization or the case has no such calendar event. */
export class CalendarEventNotFound extends Schema.TaggedError<CalendarEventNotFound>()("CalendarEventNotFound", {
  eventId: CalendarEventId
}) {}

/** The event does not end after it begins. */
export class EventTimesReversed extends Schema.TaggedError<EventTimesReversed>()("EventTimesReversed", {}) {}

/** The event was cancelled before. */
export class CalendarEventCancelled extends Schema.TaggedError<CalendarEventCancelled>()("CalendarEventCancelled", {
  eventId: CalendarEventId
}) {}

/** The event belongs to another agent than `custom`, and is cancelled there. */
export class CalendarEventNotCustom extends Schema.TaggedError<CalendarEventNotCustom>()("CalendarEventNotCustom", {
  eventId: CalendarEventId
}) {}

/** The range of days of a request is missing, incomplete or reversed. */
export class DayRangeRefused extends Schema.TaggedError<DayRangeRefused>()("DayRangeRefused", {
  problem: Schema.Literals(["missing", "incomplete", "reversed"])
}) {}

/** Nobody in the organization has the email of the filter. */
export class AppointmentUserUnknown extends Schema.TaggedError<AppointmentUserUnknown>()(
  "AppointmentUserUnknown",
  {}
) {}
