import { layerReconciliation } from "@care/service"
import { Layer } from "effect"
import { GatewayEvents } from "../events/GatewayEvents.ts"
import { PendingOperations } from "../operations/PendingOperations.ts"
import { Payments } from "../payments/Payments.ts"
import { PaymentIntents } from "../stripe/PaymentIntents.ts"
import { makeSources } from "./makeSources.ts"

/** The comparison with Stripe, every hour and when an operator asks. */
export const ReconciliationFeature = layerReconciliation("payments", makeSources()).pipe(
  Layer.provide([GatewayEvents.layer, PaymentIntents.layer, Payments.layer, PendingOperations.layer])
)
