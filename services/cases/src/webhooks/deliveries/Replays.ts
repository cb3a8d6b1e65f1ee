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
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { WebhookEndpoints } from "../endpoints/WebhookEndpoints.ts"
import { DeliveryWakeUp } from "./DeliveryWakeUp.ts"
import { makeSendAgain } from "./makeSendAgain.ts"
import { makeReplaysRepo } from "./ReplaysRepo.ts"
import { WebhookReplays } from "./WebhookReplays.ts"

const operation = { version: 1, ids: {} } as const
const replaying = onceOperation({ ...operation, name: "replayWebhookDelivery", answer: QueuedDelivery })
const resending = onceOperation({ ...operation, name: "resendEvent", answer: Schema.Array(QueuedDelivery) })
const replayingAll = onceOperation({ ...operation, name: "replayWebhooks", answer: Schema.Void })
const replayingMissing = onceOperation({ ...operation, name: "replayMissingWebhooks", answer: Schema.Void })

/** The organization that asks, and its idempotency key, if any. */
interface Asker {
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

/** Replays events to endpoints that are enabled. */
export class Replays extends Context.Service<
  Replays,
  {
    readonly one: (
      asker: Asker,
      id: WebhookDeliveryId
    ) => Effect.Effect<QueuedDelivery, WebhookDeliveryNotFound | WebhookEndpointDisabled | IdempotencyConflict>
    /** Sends an event to one endpoint, or to all enabled ones that want it. */
    readonly event: (
      asker: Asker,
      id: WebhookEventId,
      endpointId: WebhookEndpointId | undefined
    ) => Effect.Effect<
      ReadonlyArray<QueuedDelivery>,
      WebhookEventNotFound | WebhookEndpointNotFound | WebhookEndpointDisabled | IdempotencyConflict
    >
    /** Replays all deliveries to an endpoint in a range, by jobs. An endpoint has one replay at a time. */
    readonly all: (asker: Asker, id: WebhookEndpointId, range: Range) => Effect.Effect<void, RangeRefusal>
    /** Sends all events that an endpoint wants and that were not delivered to it, by jobs. */
    readonly missing: (asker: Asker, id: WebhookEndpointId, since: Date) => Effect.Effect<void, RangeRefusal>
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

      const sendOne = Effect.fnUntraced(function* (organizationId: OrganizationId, id: WebhookDeliveryId) {
        const required = Effect.fromOption(() => new WebhookDeliveryNotFound())
        const { endpointId, eventId, isEnabled } = yield* required(yield* repo.find(organizationId, id))
        if (!isEnabled) return yield* new WebhookEndpointDisabled()
        const [queued] = yield* sendAgain(organizationId, [endpointId], [eventId])
        return yield* required(Option.fromUndefinedOr(queued))
      })

      // The lock of the endpoint makes the replay of whoever held it before visible.
      const offer = Effect.fnUntraced(function* (replay: Parameters<typeof jobs.offer>[0]) {
        const { endpointId, organizationId } = replay
        const endpoint = yield* repo.lockEndpoint(organizationId, endpointId)
        if (Option.isNone(endpoint)) return yield* new WebhookEndpointNotFound()
        if (!endpoint.value.isEnabled) return yield* new WebhookEndpointDisabled()
        if (yield* repo.isReplaying(organizationId, endpointId)) return yield* new WebhookReplayUnderWay()
        yield* jobs.offer(replay)
      }, inTransaction(sql))

      const range = Effect.fnUntraced(function* (
        { organizationId }: Asker,
        endpointId: WebhookEndpointId,
        kind: "ALL" | "MISSING",
        { since, until }: Range
      ) {
        const last = until ?? (yield* DateTime.nowAsDate)
        if (last < since) return yield* RequestInvalid.inPayload("since", "must be before the end of the range")
        return offer({ organizationId, endpointId, kind, since, until: last, after: oldest })
      })

      return Replays.of({
        one: Effect.fn("Replays.one")((asker, id) =>
          once.run(replaying, { ...asker, body: { id } }, () => Effect.succeed(sendOne(asker.organizationId, id)))
        ),

        event: Effect.fn("Replays.event")((asker, id, endpointId) =>
          once.run(
            resending,
            { ...asker, body: { id, endpointId } },
            Effect.fnUntraced(function* () {
              const { organizationId } = asker
              yield* Effect.fromOption(yield* repo.findEvent(organizationId, id), () => new WebhookEventNotFound())
              if (endpointId !== undefined) yield* requireEndpoint(organizationId, endpointId)
              const wanting = yield* repo.wanting(organizationId, id)
              return sendAgain(organizationId, endpointId === undefined ? wanting.map(({ id }) => id) : [endpointId], [
                id
              ])
            })
          )
        ),

        all: Effect.fn("Replays.all")((asker, id, bounds) =>
          once.run(replayingAll, { ...asker, body: { id, ...bounds } }, () => range(asker, id, "ALL", bounds))
        ),

        missing: Effect.fn("Replays.missing")((asker, id, since) =>
          once.run(replayingMissing, { ...asker, body: { id, since } }, () => range(asker, id, "MISSING", { since }))
        )
      })
    })
  ).pipe(Layer.provide([DeliveryWakeUp.layer, WebhookReplays.layer]))
}
