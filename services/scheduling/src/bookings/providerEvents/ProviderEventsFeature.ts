import { Layer } from "effect"
import { ProviderEventsHandlers } from "./http.ts"
import { layerProviderSignature } from "./layerProviderSignature.ts"
import { ProviderEvents } from "./ProviderEvents.ts"

/** What the scheduling provider tells, and what follows from it. */
export const ProviderEventsFeature = ProviderEventsHandlers.pipe(
  Layer.provide([ProviderEvents.layer, layerProviderSignature])
)
