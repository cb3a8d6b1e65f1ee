import { Layer } from "effect"
import { Availability } from "./Availability.ts"
import { AvailabilityHandlers } from "./http.ts"

export const AvailabilityFeature = AvailabilityHandlers.pipe(Layer.provide(Availability.layer))
