import { Schema } from "effect"
import { CalendarEventId } from "../Ids.ts"

/** The organization has no such calendar event, or the case has none. */
export class CalendarEventNotFound extends Schema.TaggedError<CalendarEventNotFound>()("CalendarEventNotFound", {
  eventId: CalendarEventId
}) {}

/** The event ends before it begins, or at once. */
export class EventTimesReversed extends Schema.TaggedError<EventTimesReversed>()("EventTimesReversed", {}) {}

/** The event was cancelled, and is not restored. */
export class CalendarEventCancelled extends Schema.TaggedError<CalendarEventCancelled>()("CalendarEventCancelled", {
  eventId: CalendarEventId
}) {}

/** The event is kept by another agent than `custom`, and is cancelled there. */
export class CalendarEventNotCustom extends Schema.TaggedError<CalendarEventNotCustom>()("CalendarEventNotCustom", {
  eventId: CalendarEventId
}) {}

/** The range of days that appointments are asked for with: not given, given by one day alone, or from back to front. */
export class DayRangeRefused extends Schema.TaggedError<DayRangeRefused>()("DayRangeRefused", {
  problem: Schema.Literals(["missing", "incomplete", "reversed"])
}) {}

/** Nobody in the organization has the email that appointments are asked for by. */
export class AppointmentUserUnknown extends Schema.TaggedError<AppointmentUserUnknown>()(
  "AppointmentUserUnknown",
  {}
) {}
