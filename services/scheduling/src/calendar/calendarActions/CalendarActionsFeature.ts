import { Layer } from "effect"
import { CalendarActions } from "./CalendarActions.ts"
import { CalendarActionsHandlers } from "./http.ts"

/** What partners do with the calendars of their cases. */
export const CalendarActionsFeature = CalendarActionsHandlers.pipe(Layer.provide(CalendarActions.layer))
