import { layerReconciliation } from "@care/service"
import { Effect, Layer } from "effect"
import { Appointments, Bookings } from "../bookings/index.ts"
import { ProviderApi } from "../provider/index.ts"
import { makeMeetingsSource } from "./meetingsSource.ts"
import { makeSubscriptionSource } from "./subscriptionSource.ts"

/** What scheduling compares with the provider: first whether it tells us anything. */
export const makeSources = Effect.all([makeSubscriptionSource, makeMeetingsSource])

/** The comparison with the scheduling provider, every hour and when an operator asks. */
export const ReconciliationFeature = layerReconciliation("scheduling", makeSources).pipe(
  Layer.provide([Appointments.layer, Bookings.layer, ProviderApi.layer])
)
