import { Layer } from "effect"
import { AppointmentList } from "./AppointmentList.ts"
import { AppointmentListHandlers } from "./http.ts"

/** The list of appointments, for partners. */
export const AppointmentListFeature = AppointmentListHandlers.pipe(Layer.provide(AppointmentList.layer))
