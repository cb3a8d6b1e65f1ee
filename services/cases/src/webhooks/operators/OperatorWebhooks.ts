import type { OrganizationNotFound } from "@care/domain/auth"
import type { PageQuery } from "@care/domain/http"
import type { OrganizationId, WebhookDeliveryId, WebhookEndpointId } from "@care/domain/ids"
import {
  type DeliveriesQuery,
  type QueuedDelivery,
  type WebhookDelivery,
  type WebhookDeliveryNotFound,
  type WebhookDeliveryWithEvent,
  type WebhookEndpoint,
  type WebhookEndpointDisabled,
  WebhookEndpointNotFound
} from "@care/domain/webhooks"
import { organizationScope, type Page } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { Directory } from "../../case/index.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import { Replays } from "../deliveries/Replays.ts"
import { PartnerEndpoints } from "../endpoints/PartnerEndpoints.ts"
import { makeWebhookEndpointsRepo } from "../endpoints/WebhookEndpointsRepo.ts"
import { Events } from "../events/Events.ts"

/** The webhook endpoints and deliveries of all organizations. Operators and staff name an endpoint alone. */
export class OperatorWebhooks extends Context.Service<
  OperatorWebhooks,
  {
    readonly endpoints: (
      organizationId: OrganizationId,
      query: PageQuery
    ) => Effect.Effect<Page<WebhookEndpoint>, OrganizationNotFound>
    readonly deliveries: (
      endpointId: WebhookEndpointId,
      query: DeliveriesQuery
    ) => Effect.Effect<Page<WebhookDelivery>, WebhookEndpointNotFound>
    readonly delivery: (
      endpointId: WebhookEndpointId,
      id: WebhookDeliveryId
    ) => Effect.Effect<WebhookDeliveryWithEvent, WebhookEndpointNotFound | WebhookDeliveryNotFound>
    readonly replay: (
      endpointId: WebhookEndpointId,
      id: WebhookDeliveryId
    ) => Effect.Effect<QueuedDelivery, WebhookEndpointNotFound | WebhookDeliveryNotFound | WebhookEndpointDisabled>
  }
>()("@care/cases/webhooks/operators/OperatorWebhooks") {
  static readonly layer = Layer.effect(
    OperatorWebhooks,
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const directory = yield* Directory
      const events = yield* Events
      const partnerEndpoints = yield* PartnerEndpoints
      const replays = yield* Replays
      const repo = yield* makeWebhookEndpointsRepo

      const ownerOf = Effect.fnUntraced(function* (endpointId: WebhookEndpointId) {
        const owner = yield* repo.findOwner(endpointId, yield* organizationScope)
        return (yield* Effect.fromOption(owner, () => new WebhookEndpointNotFound())).organizationId
      })

      return OperatorWebhooks.of({
        endpoints: Effect.fn("OperatorWebhooks.endpoints")(function* (organizationId, query) {
          yield* directory.requireOrganization(organizationId)
          return yield* partnerEndpoints.list(organizationId, query)
        }),
        deliveries: Effect.fn("OperatorWebhooks.deliveries")(function* (endpointId, query) {
          return yield* deliveries.list(yield* ownerOf(endpointId), endpointId, query)
        }),
        delivery: Effect.fn("OperatorWebhooks.delivery")(function* (endpointId, id) {
          const organizationId = yield* ownerOf(endpointId)
          const delivery = yield* deliveries.get(organizationId, endpointId, id)
          const event = yield* events.find(organizationId, delivery.eventId)
          return { ...delivery, endpointId, event: Option.getOrNull(event) }
        }),
        replay: Effect.fn("OperatorWebhooks.replay")(function* (endpointId, id) {
          const organizationId = yield* ownerOf(endpointId)
          yield* deliveries.get(organizationId, endpointId, id)
          return yield* replays
            .delivery({ organizationId, key: undefined }, id)
            .pipe(Effect.catchTag("IdempotencyConflict", Effect.die))
        })
      })
    })
  ).pipe(Layer.provide([Deliveries.layer, Events.layer, PartnerEndpoints.layer, Replays.layer]))
}
