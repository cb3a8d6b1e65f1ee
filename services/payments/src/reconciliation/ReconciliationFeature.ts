import { layerReconciliation } from "@care/service"
import { Layer } from "effect"
import { GatewayEvents } from "../events/index.ts"
import { Payments, PendingOperations } from "../payments/index.ts"
import { PaymentIntents } from "../stripe/index.ts"
import { makeSources } from "./makeSources.ts"

/** The comparison with Stripe, every hour and when an operator asks. */
export const ReconciliationFeature = layerReconciliation("payments", makeSources()).pipe(
  Layer.provide([GatewayEvents.layer, PaymentIntents.layer, Payments.layer, PendingOperations.layer])
)
