import { Schema } from "effect"

/** Where a calendar event stands. */
export const CalendarEventStatus = Schema.Literals(["SCHEDULED", "COMPLETED", "CANCELLED"])
export type CalendarEventStatus = typeof CalendarEventStatus.Type
