import type { OrganizationId, WebhookDeliveryId, WebhookEndpointId } from "@care/domain/ids"
import {
  type DeliveriesQuery,
  type DeliveryWait,
  type WebhookDelivery,
  WebhookDeliveryNotFound,
  WebhookEndpointNotFound
} from "@care/domain/webhooks"
import { type Page, Time } from "@care/service-kit"
import { waitOf } from "@care/webhooks"
import { Array as Arr, Context, DateTime, Effect, Layer, Option } from "effect"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { type DeliveryPlace, type ListedDelivery, makeDeliveriesRepo } from "./DeliveriesRepo.ts"

/** Returns what a pending delivery waits for, by the rule of its sender. */
const waitAt = (place: DeliveryPlace, nextAttemptAt: Date, now: Date): DeliveryWait | undefined => {
  const { earlierEventId: eventId, earlierId: deliveryId, isPaused, slowedUntil } = place
  const earlier = deliveryId === null ? null : { deliveryId, eventId }
  const wait = waitOf({ isPaused, slowedUntil, earlier, nextAttemptAt }, now)
  const none = { deliveryId: null, eventId: null, until: null }
  if (wait === undefined) return undefined
  switch (wait.reason) {
    case "EARLIER_EVENT":
      return { ...none, reason: wait.reason, ...wait.earlier }
    case "ENDPOINT_DISABLED":
      return { ...none, reason: wait.reason }
    default:
      return { ...none, reason: wait.reason, until: wait.until }
  }
}

const shownWait = (
  wait: DeliveryWait | undefined,
  shown: Effect.Success<typeof Time.shownTime>
): DeliveryWait | null => (wait === undefined ? null : { ...wait, until: shown(wait.until) })

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

      const waitsOf = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        endpointId: WebhookEndpointId,
        page: ReadonlyArray<ListedDelivery>
      ) {
        const pending = page.filter(({ nextAttemptAt }) => nextAttemptAt !== null)
        if (pending.length === 0) return new Map<WebhookDeliveryId, DeliveryWait>()
        const now = yield* DateTime.nowAsDate
        const places = yield* repo.placesOf(
          organizationId,
          endpointId,
          pending.map(({ id }) => id)
        )
        const placeOf = new Map(places.map((place) => [place.id, place]))
        return new Map(
          pending.flatMap(({ id, nextAttemptAt }) => {
            const place = placeOf.get(id)
            const wait = place === undefined || nextAttemptAt === null ? undefined : waitAt(place, nextAttemptAt, now)
            return wait === undefined ? [] : [[id, wait] as const]
          })
        )
      })

      const complete = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        endpointId: WebhookEndpointId,
        page: ReadonlyArray<ListedDelivery>
      ) {
        const waits = yield* waitsOf(organizationId, endpointId, page)
        const attempts = Arr.groupBy(yield* repo.attemptsOf(organizationId, page), ({ deliveryId }) => deliveryId)
        const shown = yield* Time.shownTime
        return page.map(({ attempted: _, isFound: __, ...delivery }) => ({
          ...delivery,
          nextAttemptAt: shown(delivery.nextAttemptAt),
          waitsFor: shownWait(waits.get(delivery.id), shown),
          attempts: (attempts[delivery.id] ?? []).map(({ deliveryId: _, organizationId: __, ...attempt }) => attempt)
        }))
      })

      return Deliveries.of({
        get: Effect.fn("Deliveries.get")(function* (organizationId, endpointId, id) {
          const found = yield* repo.find(organizationId, endpointId, id)
          const [delivery] = yield* complete(organizationId, endpointId, Option.toArray(found))
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
            data: yield* complete(organizationId, endpointId, page),
            nextCursor: last === undefined ? null : { createdAt: last.createdAt, id: last.id }
          }
        })
      })
    })
  )
}
