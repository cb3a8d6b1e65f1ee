import type { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { Context, DateTime, Effect, Layer } from "effect"
import { makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"

/** Changes the queues of endpoints, in the transaction that changes the endpoint. */
export class EndpointQueues extends Context.Service<
  EndpointQueues,
  {
    /**
     * Pauses the queue of an endpoint that is disabled, or whose organization is: attempts under way end, and events wait. Otherwise the
     * queue begins anew, at once, with what was not attempted yet. What has failed keeps the time of its next attempt, unless a
     * replay sends it.
     */
    readonly refresh: (organizationId: OrganizationId, endpointId: WebhookEndpointId) => Effect.Effect<void>
    /** Removes the queue of an endpoint that is deleted. Its deliveries are deleted when they are old. */
    readonly remove: (organizationId: OrganizationId, endpointId: WebhookEndpointId) => Effect.Effect<void>
  }
>()("@care/cases/webhooks/EndpointQueues") {
  static readonly layer = Layer.effect(
    EndpointQueues,
    Effect.gen(function* () {
      const wakeUp = yield* DeliveryWakeUp
      const queues = yield* makeDeliveryQueuesRepo

      return EndpointQueues.of({
        refresh: Effect.fn("EndpointQueues.refresh")(function* (organizationId, endpointId) {
          yield* queues.refresh(organizationId, endpointId, yield* DateTime.nowAsDate)
          yield* wakeUp.tell
        }),
        remove: Effect.fn("EndpointQueues.remove")(queues.remove)
      })
    })
  ).pipe(Layer.provide(DeliveryWakeUp.layer))
}
