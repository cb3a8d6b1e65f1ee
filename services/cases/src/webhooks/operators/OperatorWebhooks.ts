import type { OrganizationNotFound } from "@care/domain/auth"
import type { PageQuery, RequestInvalid } from "@care/domain/http"
import type { OrganizationId, WebhookDeliveryId, WebhookEndpointId, WebhookEventId } from "@care/domain/ids"
import {
  type DeliveriesQuery,
  type NewWebhookEndpoint,
  type QueuedDelivery,
  type WebhookDelivery,
  type WebhookDeliveryNotFound,
  type WebhookDeliveryWithEvent,
  type WebhookEndpoint,
  type WebhookEndpointChange,
  type WebhookEndpointDisabled,
  WebhookEndpointNotFound,
  type WebhookEndpointsExhausted,
  type WebhookEndpointWithSecret,
  type WebhookReplayUnderWay
} from "@care/domain/webhooks"
import { organizationScope, type Page } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { Directory } from "../../case/index.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import { Replays } from "../deliveries/Replays.ts"
import { EndpointSecrets } from "../endpoints/EndpointSecrets.ts"
import { PartnerEndpoints } from "../endpoints/PartnerEndpoints.ts"
import { makeWebhookEndpointsRepo } from "../endpoints/WebhookEndpointsRepo.ts"
import { Events } from "../events/Events.ts"

// Requests of the admin API have no idempotency key.
const unexpected = { IdempotencyConflict: Effect.die } as const

/** The webhook endpoints and deliveries of all organizations. Operators and staff name an endpoint alone. */
export class OperatorWebhooks extends Context.Service<
  OperatorWebhooks,
  {
    readonly endpoints: (
      organizationId: OrganizationId,
      query: PageQuery
    ) => Effect.Effect<Page<WebhookEndpoint>, OrganizationNotFound>
    readonly create: (
      organizationId: OrganizationId,
      endpoint: NewWebhookEndpoint
    ) => Effect.Effect<WebhookEndpointWithSecret, OrganizationNotFound | RequestInvalid | WebhookEndpointsExhausted>
    readonly change: (
      endpointId: WebhookEndpointId,
      change: WebhookEndpointChange
    ) => Effect.Effect<WebhookEndpoint, WebhookEndpointNotFound | RequestInvalid>
    readonly remove: (endpointId: WebhookEndpointId) => Effect.Effect<void, WebhookEndpointNotFound>
    readonly rotateSecret: (
      endpointId: WebhookEndpointId
    ) => Effect.Effect<WebhookEndpointWithSecret, WebhookEndpointNotFound>
    readonly test: (
      endpointId: WebhookEndpointId
    ) => Effect.Effect<{ readonly eventId: WebhookEventId }, WebhookEndpointNotFound | WebhookEndpointDisabled>
    readonly replayMissing: (
      endpointId: WebhookEndpointId,
      since: Date
    ) => Effect.Effect<void, WebhookEndpointNotFound | WebhookEndpointDisabled | WebhookReplayUnderWay | RequestInvalid>
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
      const secrets = yield* EndpointSecrets
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
        create: Effect.fn("OperatorWebhooks.create")(function* (organizationId, endpoint) {
          yield* directory.requireOrganization(organizationId)
          return yield* secrets.create(organizationId, endpoint, undefined).pipe(Effect.catchTags(unexpected))
        }),
        change: Effect.fn("OperatorWebhooks.change")(function* (id, change) {
          return yield* partnerEndpoints.change(yield* ownerOf(id), id, change)
        }),
        remove: Effect.fn("OperatorWebhooks.remove")(function* (id) {
          yield* partnerEndpoints.remove(yield* ownerOf(id), id)
        }),
        rotateSecret: Effect.fn("OperatorWebhooks.rotateSecret")(function* (id) {
          return yield* secrets
            .rotate({ organizationId: yield* ownerOf(id), id, key: undefined })
            .pipe(Effect.catchTags(unexpected))
        }),
        test: Effect.fn("OperatorWebhooks.test")(function* (id) {
          return yield* partnerEndpoints
            .test({ organizationId: yield* ownerOf(id), id, key: undefined })
            .pipe(Effect.catchTags(unexpected))
        }),
        replayMissing: Effect.fn("OperatorWebhooks.replayMissing")(function* (id, since) {
          yield* replays
            .missing({ organizationId: yield* ownerOf(id), key: undefined }, id, since)
            .pipe(Effect.catchTags(unexpected))
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
          return yield* replays.delivery({ organizationId, key: undefined }, id).pipe(Effect.catchTags(unexpected))
        })
      })
    })
  ).pipe(Layer.provide([Deliveries.layer, EndpointSecrets.layer, Events.layer, PartnerEndpoints.layer, Replays.layer]))
}
