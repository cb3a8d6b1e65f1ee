import type { OldRows } from "@care/service-kit"
import { Layer } from "effect"
import { Payments } from "../payments/index.ts"
import { EventHandling } from "./EventHandling.ts"
import { GatewayEvents } from "./GatewayEvents.ts"
import { GatewayEventsHandlers } from "./http.ts"
import { layerStripeSignature } from "./layerStripeSignature.ts"
import { HoldExpiries } from "./simulations/HoldExpiries.ts"
import { PaymentSimulationsHandlers } from "./simulations/http.ts"
import { PaymentSimulations } from "./simulations/PaymentSimulations.ts"

/** The events of the payment gateway, and their effects. */
export const GatewayEventsFeature = Layer.mergeAll(
  PaymentSimulationsHandlers.pipe(Layer.provide(PaymentSimulations.layer)),
  GatewayEventsHandlers.pipe(Layer.provide([GatewayEvents.layer, layerStripeSignature])),
  EventHandling.layerWorker.pipe(Layer.provide(Payments.layer)),
  HoldExpiries.layerWorker.pipe(Layer.provide([GatewayEvents.layer, Payments.layer]))
)

/** Events that the gateway does not send again. The states of their intents stay. */
export const oldPaymentEvents: OldRows = {
  table: "payment_events",
  key: ["event_id"],
  since: "created_at",
  age: "90 days"
}
