import { Layer } from "effect"
import { CalendarEvents } from "./CalendarEvents.ts"
import { CalendarEventsHandlers } from "./http.ts"

/** What cases asks of calendar events. */
export const CalendarEventsFeature = CalendarEventsHandlers.pipe(Layer.provide(CalendarEvents.layer))
