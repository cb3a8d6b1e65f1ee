import { Layer } from "effect"
import { CalendarEvents } from "./CalendarEvents.ts"
import { CalendarEventsHandlers } from "./http.ts"

/** The calendar events of a case, for cases. */
export const CalendarEventsFeature = CalendarEventsHandlers.pipe(Layer.provide(CalendarEvents.layer))
