import { Layer } from "effect"
import { AppointmentList } from "./AppointmentList.ts"
import { AppointmentListHandlers } from "./http.ts"

/** What partners read of the calendars of their cases. */
export const AppointmentListFeature = AppointmentListHandlers.pipe(Layer.provide(AppointmentList.layer))
