import { Layer } from "effect"
import { ProviderEventsHandlers } from "./http.ts"
import { layerProviderSignature } from "./layerProviderSignature.ts"
import { ProviderEvents } from "./ProviderEvents.ts"

/** The webhook of the scheduling provider. */
export const ProviderEventsFeature = ProviderEventsHandlers.pipe(
  Layer.provide([ProviderEvents.layer, layerProviderSignature])
)
