import { Layer } from "effect"
import { Payments } from "../payments/index.ts"
import { EventHandling } from "./EventHandling.ts"
import { GatewayEvents } from "./GatewayEvents.ts"
import { GatewayEventsHandlers } from "./http.ts"
import { layerStripeSignature } from "./layerStripeSignature.ts"

/** The events of the payment gateway, and their effects. */
export const GatewayEventsFeature = Layer.mergeAll(
  GatewayEventsHandlers.pipe(Layer.provide([GatewayEvents.layer, layerStripeSignature])),
  EventHandling.layerWorker.pipe(Layer.provide(Payments.layer))
)
