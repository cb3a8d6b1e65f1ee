import { Schema } from "effect"
import { CalendarEventId } from "../Ids.ts"

/** The organization has no such calendar event, or the case has none. */
export class CalendarEventNotFound extends Schema.TaggedError<CalendarEventNotFound>()("CalendarEventNotFound", {
  eventId: CalendarEventId
}) {}
