import type { OrganizationId, WebhookDeliveryId, WebhookEndpointId } from "@care/domain/ids"
import {
  type DeliveriesQuery,
  type WebhookDelivery,
  WebhookDeliveryNotFound,
  WebhookEndpointNotFound
} from "@care/domain/webhooks"
import type { Page } from "@care/service-kit"
import { Array as Arr, Context, Effect, Layer, Option } from "effect"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { type ListedDelivery, makeDeliveriesRepo } from "./DeliveriesRepo.ts"

/** The deliveries of events, as partners see them. */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /**
     * Returns a page of the deliveries to an endpoint, newest first. Its cost does not grow with their number. It may be shorter
     * than the limit although there are more.
     */
    readonly list: (
      organizationId: OrganizationId,
      endpointId: WebhookEndpointId,
      query: DeliveriesQuery
    ) => Effect.Effect<Page<WebhookDelivery>, WebhookEndpointNotFound>
    readonly get: (
      organizationId: OrganizationId,
      endpointId: WebhookEndpointId,
      id: WebhookDeliveryId
    ) => Effect.Effect<WebhookDelivery, WebhookDeliveryNotFound>
  }
>()("@care/cases/webhooks/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const repo = yield* makeDeliveriesRepo

      const withAttempts = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        page: ReadonlyArray<ListedDelivery>
      ) {
        const attempts = Arr.groupBy(
          yield* repo.attemptsOf(
            organizationId,
            page.map(({ id }) => id)
          ),
          ({ deliveryId }) => deliveryId
        )
        return page.map(({ isFound: _, ...delivery }) => ({
          ...delivery,
          attempts: (attempts[delivery.id] ?? []).map(({ deliveryId: _, organizationId: __, ...attempt }) => attempt)
        }))
      })

      return Deliveries.of({
        get: Effect.fn("Deliveries.get")(function* (organizationId, endpointId, id) {
          const found = yield* repo.find(organizationId, endpointId, id)
          const [delivery] = yield* withAttempts(organizationId, Option.toArray(found))
          return yield* Effect.fromOption(Option.fromUndefinedOr(delivery), () => new WebhookDeliveryNotFound())
        }),
        list: Effect.fn("Deliveries.list")(function* (organizationId, endpointId, { limit, ...query }) {
          const endpoint = yield* endpoints.signing(organizationId, endpointId)
          if (Option.isNone(endpoint)) return yield* new WebhookEndpointNotFound()
          const { hasMore, rows } = yield* repo.page(organizationId, endpointId, query, limit + 1)
          const matching = rows.filter(({ isFound }) => isFound)
          const page = matching.slice(0, limit)
          // The last of the page, or, when too few matched, the last that was examined.
          const last = matching.length > limit ? page.at(-1) : hasMore ? rows.at(-1) : undefined
          return {
            data: yield* withAttempts(organizationId, page),
            nextCursor: last === undefined ? null : { createdAt: last.createdAt, id: last.id }
          }
        })
      })
    })
  )
}
