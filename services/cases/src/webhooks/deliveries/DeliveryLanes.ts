import type { OrganizationId, WebhookEndpointId } from "@care/domain/ids"
import { Context, DateTime, Effect, Layer } from "effect"
import { makeDeliveryQueuesRepo } from "./DeliveryQueuesRepo.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"

/** Whether anything is sent to an endpoint, as whoever changes the endpoint says in the transaction of the change. */
export class DeliveryLanes extends Context.Service<
  DeliveryLanes,
  {
    /** Nothing more is sent to the endpoint, which is disabled, but for what is under way. What happens meanwhile waits for it, too. */
    readonly pause: (organizationId: OrganizationId, endpointId: WebhookEndpointId) => Effect.Effect<void>
    /**
     * Goes on where it stopped, at once: with what was not attempted yet. What has failed is attempted when its time comes, or when
     * somebody asks for what is missing.
     */
    readonly resume: (organizationId: OrganizationId, endpointId: WebhookEndpointId) => Effect.Effect<void>
    /** The endpoint is deleted: nothing is sent to it any more. Its deliveries go with all that are old. */
    readonly remove: (organizationId: OrganizationId, endpointId: WebhookEndpointId) => Effect.Effect<void>
  }
>()("@care/cases/webhooks/DeliveryLanes") {
  static readonly layer = Layer.effect(
    DeliveryLanes,
    Effect.gen(function* () {
      const news = yield* DeliveryWakeUp
      const queues = yield* makeDeliveryQueuesRepo

      return DeliveryLanes.of({
        pause: Effect.fn("DeliveryLanes.pause")(queues.pause),
        resume: Effect.fn("DeliveryLanes.resume")(function* (organizationId, endpointId) {
          yield* queues.resume(organizationId, endpointId, yield* DateTime.nowAsDate)
          yield* news.tell
        }),
        remove: Effect.fn("DeliveryLanes.remove")(queues.remove)
      })
    })
  ).pipe(Layer.provide(DeliveryWakeUp.layer))
}
