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
import { Replays } from "./Replays.ts"
import { WebhookReplays } from "./WebhookReplays.ts"

/** Relays events when something happened, and every second; while there are more, at once again. */
const layerRelay = Layer.effectDiscard(
  Effect.gen(function* () {
    const news = yield* ActivityWakeUp
    const { relayNext } = yield* EventRelay
    const look = relayNext.pipe(
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning("Partners are told of their cases later", safeCause(cause)), false)
      ),
      Effect.flatMap((hasMore) => (hasMore ? Effect.void : Effect.raceFirst(news.next, Effect.sleep("1 second")))),
      inBackground,
      Effect.withTracerEnabled(false)
    )
    yield* Effect.repeat(look, Schedule.forever).pipe(Effect.interruptible, Effect.forkScoped)
  })
).pipe(Layer.provide([ActivityWakeUp.layer, EventRelay.layer]))

/** Partners are told of events: places for what was committed, and attempts at what is due. */
export const DeliveriesWork = Layer.mergeAll(layerRelay, layerDispatch).pipe(
  Layer.provide([EndpointQueues.layer, WebhookEndpoints.layer])
)

/** The same with what partners see and do of it. */
export const DeliveriesFeature = Layer.mergeAll(
  DeliveriesHandlers.pipe(Layer.provide([Deliveries.layer, Replays.layer])),
  WebhookReplays.layerWorker.pipe(Layer.provide([DeliveryWakeUp.layer, WebhookReplays.layer])),
  DeliveriesWork
).pipe(Layer.provide(WebhookEndpoints.layer))
