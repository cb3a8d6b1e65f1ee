import { type IdempotencyConflict, RequestInvalid } from "@care/domain/http"
import type { OrganizationId, WebhookDeliveryId, WebhookEndpointId, WebhookEventId } from "@care/domain/ids"
import {
  QueuedDelivery,
  WebhookDeliveryNotFound,
  WebhookEndpointDisabled,
  WebhookEndpointNotFound,
  WebhookEventNotFound,
  WebhookReplayUnderWay
} from "@care/domain/webhooks"
import { Once, onceOperation } from "@care/once"
import { inTransaction, oldest } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option, Order, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { storedFor } from "../events/eventMonths.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { makeSendAgain } from "./makeSendAgain.ts"
import { makeReplaysRepo } from "./ReplaysRepo.ts"
import { WebhookReplays } from "./WebhookReplays.ts"

const operation = { version: 1, ids: {} } as const
const deliveryReplay = onceOperation({ ...operation, name: "replayWebhookDelivery", answer: QueuedDelivery })
const eventReplay = onceOperation({ ...operation, name: "resendEvent", answer: Schema.Array(QueuedDelivery) })
const rangeReplay = onceOperation({ ...operation, name: "replayWebhooks", answer: Schema.Void })
const missingReplay = onceOperation({ ...operation, name: "replayMissingWebhooks", answer: Schema.Void })

/** The organization of a request, and its idempotency key, if any. */
interface Requester {
  readonly organizationId: OrganizationId
  readonly key: string | undefined
}

/** The range of events to replay. It ends now by default. */
interface Range {
  readonly since: Date
  readonly until?: Date | undefined
}

type RangeRefusal =
  | WebhookEndpointNotFound
  | WebhookEndpointDisabled
  | WebhookReplayUnderWay
  | RequestInvalid
  | IdempotencyConflict

const later = Order.max(Order.Date)

// The time of the oldest event that can be replayed. A month may still have older ones.
const oldestStored = Effect.map(DateTime.now, (now) => DateTime.toDateUtc(DateTime.subtractDuration(now, storedFor)))

/** Replays events to endpoints that are enabled. */
export class Replays extends Context.Service<
  Replays,
  {
    readonly delivery: (
      requester: Requester,
      id: WebhookDeliveryId
    ) => Effect.Effect<QueuedDelivery, WebhookDeliveryNotFound | WebhookEndpointDisabled | IdempotencyConflict>
    /** Sends an event to one endpoint, or to all enabled ones that want it. */
    readonly event: (
      requester: Requester,
      id: WebhookEventId,
      endpointId: WebhookEndpointId | undefined
    ) => Effect.Effect<
      ReadonlyArray<QueuedDelivery>,
      WebhookEventNotFound | WebhookEndpointNotFound | WebhookEndpointDisabled | IdempotencyConflict
    >
    /** Replays all deliveries to an endpoint in a range, by jobs. An endpoint has one replay at a time. */
    readonly all: (requester: Requester, id: WebhookEndpointId, offerRange: Range) => Effect.Effect<void, RangeRefusal>
    /** Sends all events that an endpoint wants and that were not delivered to it, by jobs. */
    readonly missing: (requester: Requester, id: WebhookEndpointId, since: Date) => Effect.Effect<void, RangeRefusal>
  }
>()("@care/cases/webhooks/Replays") {
  static readonly layer = Layer.effect(
    Replays,
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const jobs = yield* WebhookReplays
      const once = yield* Once
      const repo = yield* makeReplaysRepo
      const sendAgain = yield* makeSendAgain
      const sql = yield* SqlClient.SqlClient

      const requireEndpoint = Effect.fnUntraced(function* (organizationId: OrganizationId, id: WebhookEndpointId) {
        const endpoint = yield* endpoints.signing(organizationId, id)
        if (Option.isNone(endpoint)) return yield* new WebhookEndpointNotFound()
        if (!endpoint.value.isEnabled) return yield* new WebhookEndpointDisabled()
      })

      const sendDelivery = Effect.fnUntraced(function* (organizationId: OrganizationId, id: WebhookDeliveryId) {
        const orNotFound = Effect.fromOption(() => new WebhookDeliveryNotFound())
        const { endpointId, eventId, isEnabled } = yield* orNotFound(yield* repo.find(organizationId, id))
        if (!isEnabled) return yield* new WebhookEndpointDisabled()
        const [queued] = yield* sendAgain(organizationId, [endpointId], [eventId])
        return yield* orNotFound(Option.fromUndefinedOr(queued))
      })

      // After the lock of the endpoint, a replay that its previous holder offered is visible.
      const offer = Effect.fnUntraced(function* (replay: Parameters<typeof jobs.offer>[0]) {
        const { endpointId, organizationId } = replay
        const endpoint = yield* repo.lockEndpoint(organizationId, endpointId)
        if (Option.isNone(endpoint)) return yield* new WebhookEndpointNotFound()
        if (!endpoint.value.isEnabled) return yield* new WebhookEndpointDisabled()
        if (yield* repo.isReplaying(organizationId, endpointId)) return yield* new WebhookReplayUnderWay()
        yield* jobs.offer(replay)
      }, inTransaction(sql))

      const offerRange = Effect.fnUntraced(function* (
        { organizationId }: Requester,
        endpointId: WebhookEndpointId,
        kind: "ALL" | "MISSING",
        { since, until }: Range
      ) {
        const last = until ?? (yield* DateTime.nowAsDate)
        if (last < since) return yield* RequestInvalid.inPayload("since", "must be before the end of the range")
        return offer({ organizationId, endpointId, kind, since, until: last, after: oldest })
      })

      return Replays.of({
        delivery: Effect.fn("Replays.delivery")((requester, id) =>
          once.run(deliveryReplay, { ...requester, body: { id } }, () =>
            Effect.succeed(sendDelivery(requester.organizationId, id))
          )
        ),

        event: Effect.fn("Replays.event")((requester, id, endpointId) =>
          once.run(
            eventReplay,
            { ...requester, body: { id, endpointId } },
            Effect.fnUntraced(function* () {
              const { organizationId } = requester
              const event = yield* repo.findEvent(organizationId, id, yield* oldestStored)
              yield* Effect.fromOption(event, () => new WebhookEventNotFound())
              if (endpointId !== undefined) yield* requireEndpoint(organizationId, endpointId)
              const wantingEndpoints = yield* repo.wanting(organizationId, id)
              return sendAgain(
                organizationId,
                endpointId === undefined ? wantingEndpoints.map(({ id }) => id) : [endpointId],
                [id]
              )
            })
          )
        ),

        all: Effect.fn("Replays.all")((requester, id, bounds) =>
          once.run(rangeReplay, { ...requester, body: { id, ...bounds } }, () =>
            offerRange(requester, id, "ALL", bounds)
          )
        ),

        missing: Effect.fn("Replays.missing")((requester, id, since) =>
          once.run(
            missingReplay,
            { ...requester, body: { id, since } },
            Effect.fnUntraced(function* () {
              const first = yield* oldestStored
              return yield* offerRange(requester, id, "MISSING", { since: later(since, first) })
            })
          )
        )
      })
    })
  ).pipe(Layer.provide([DeliveryWakeUp.layer, WebhookReplays.layer]))
}
