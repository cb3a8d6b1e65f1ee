import { layerReconciliation } from "@care/service"
import { Effect, Layer } from "effect"
import { Appointments, Bookings } from "../bookings/index.ts"
import { ProviderApi } from "../provider/index.ts"
import { makeMeetingsSource } from "./meetingsSource.ts"
import { makeSubscriptionSource } from "./subscriptionSource.ts"

/** The sources of the reconciliation: first whether the provider sends events. */
export const makeSources = Effect.all([makeSubscriptionSource, makeMeetingsSource])

/** The reconciliation with the scheduling provider, every hour and on request of an operator. */
export const ReconciliationFeature = layerReconciliation("scheduling", makeSources).pipe(
  Layer.provide([Appointments.layer, Bookings.layer, ProviderApi.layer])
)
