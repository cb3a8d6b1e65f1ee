import { organizationReplica } from "@care/domain/auth"
import { layerAcceptor } from "@care/replicas"
import { inBackground, safeCause } from "@care/service-kit"
import { Effect, Layer, Schedule } from "effect"
import { ActivityWakeUp } from "../../case/index.ts"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { EventRelay } from "../events/EventRelay.ts"
import { Deliveries } from "./Deliveries.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { EndpointQueues } from "./EndpointQueues.ts"
import { DeliveriesHandlers } from "./http.ts"
import { layerDispatch } from "./layerDispatch.ts"
import { makeAcceptOrganization } from "./makeAcceptOrganization.ts"
import { Replays } from "./Replays.ts"
import { WebhookReplays } from "./WebhookReplays.ts"

/** Runs the relay when something happened, and every second. It runs again at once while there is more. */
const layerRelay = Layer.effectDiscard(
  Effect.gen(function* () {
    const wakeUp = yield* ActivityWakeUp
    const { relayNext } = yield* EventRelay
    const relayOrWait = relayNext.pipe(
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("Events are relayed later", safeCause(cause)), false)),
      Effect.flatMap((hasMore) => (hasMore ? Effect.void : Effect.raceFirst(wakeUp.next, Effect.sleep("1 second")))),
      inBackground,
      Effect.withTracerEnabled(false)
    )
    yield* Effect.repeat(relayOrWait, Schedule.forever).pipe(Effect.interruptible, Effect.forkScoped)
  })
).pipe(Layer.provide([ActivityWakeUp.layer, EventRelay.layer]))

/** The background work of webhooks: the relay of events, and the dispatcher. */
export const DeliveriesWork = Layer.mergeAll(layerRelay, layerDispatch).pipe(
  Layer.provide([EndpointQueues.layer, WebhookEndpoints.layer])
)

/** The background work, the list of deliveries, replays, and the snapshots of organizations. */
export const DeliveriesFeature = Layer.mergeAll(
  DeliveriesHandlers.pipe(Layer.provide([Deliveries.layer, Replays.layer])),
  WebhookReplays.layerWorker.pipe(Layer.provide([DeliveryWakeUp.layer, WebhookReplays.layer])),
  layerAcceptor(organizationReplica, makeAcceptOrganization).pipe(Layer.provide(DeliveryWakeUp.layer)),
  DeliveriesWork
).pipe(Layer.provide(WebhookEndpoints.layer))
