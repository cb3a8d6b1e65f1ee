import { layerReconciliation, onTestAccount } from "@care/service"
import { Effect, Layer } from "effect"
import { Appointments, Bookings } from "../bookings/index.ts"
import { ProviderApi } from "../provider/index.ts"
import { makeMeetingsSource } from "./meetingsSource.ts"
import { makeSubscriptionSource } from "./subscriptionSource.ts"

/** Makes the sources of the reconciliation: first whether the provider sends events. The account of sandboxes has sources of its own. */
export const makeSources = Effect.gen(function* () {
  const sources = [yield* makeSubscriptionSource, yield* makeMeetingsSource]
  const { hasTestAccount } = yield* ProviderApi
  return hasTestAccount ? [...sources, ...sources.map(onTestAccount)] : sources
})

/** The reconciliation with the scheduling provider, every hour and on request of an operator. */
export const ReconciliationFeature = layerReconciliation("scheduling", makeSources).pipe(
  Layer.provide([Appointments.layer, Bookings.layer, ProviderApi.layer])
)
