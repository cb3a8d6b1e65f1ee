import { Layer } from "effect"
import { CalendarActions } from "./CalendarActions.ts"
import { CalendarActionsHandlers } from "./http.ts"

/** The actions of partners on calendars of cases. */
export const CalendarActionsFeature = CalendarActionsHandlers.pipe(Layer.provide(CalendarActions.layer))
