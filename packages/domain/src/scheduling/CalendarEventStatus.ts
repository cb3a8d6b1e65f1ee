import { Schema } from "effect"

export const CalendarEventStatus = Schema.Literals(["SCHEDULED", "COMPLETED", "CANCELLED"])
export type CalendarEventStatus = typeof CalendarEventStatus.Type
