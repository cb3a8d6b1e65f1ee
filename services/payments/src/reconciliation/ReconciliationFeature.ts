import { layerReconciliation } from "@care/service"
import { Layer } from "effect"
import { EventOwners, GatewayEvents } from "../events/index.ts"
import { Payments, PendingOperations } from "../payments/index.ts"
import { PaymentIntents } from "../stripe/index.ts"
import { makeSources } from "./makeSources.ts"

/** The reconciliation with Stripe, every hour and on request of an operator. */

export const ReconciliationFeature = layerReconciliation("payments", makeSources()).pipe(
  Layer.provide([EventOwners.layer, GatewayEvents.layer, PaymentIntents.layer, Payments.layer, PendingOperations.layer])
)
