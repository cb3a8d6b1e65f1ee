import { randomUUID } from "node:crypto"
import type { PageQuery } from "@care/domain/http"
import type { PaymentId } from "@care/domain/ids"
import { EventOfOtherVersion, type GatewayEvent, type PaymentNotFound, type ReceivedEvent } from "@care/domain/payments"
import { Audit, inTransaction, newest, type Page, pageFrom } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Payments } from "../payments/Payments.ts"
import { apiVersion } from "../stripe/Stripe.ts"
import { EventHandling } from "./EventHandling.ts"
import { makeGatewayEventsRepo } from "./GatewayEventsRepo.ts"
import { newsOf } from "./newsOf.ts"

/** What the gateway tells. */
export class GatewayEvents extends Context.Service<
  GatewayEvents,
  {
    /**
     * Keeps an event that the gateway signed, with the job that handles it. One that came before changes nothing, and one of
     * another version of its API is refused.
     */
    readonly receive: (event: GatewayEvent) => Effect.Effect<void, EventOfOtherVersion>
    /** What came, newest first: all of it, or what concerns a payment. */
    readonly list: (
      query: PageQuery & { readonly paymentId?: PaymentId }
    ) => Effect.Effect<Page<ReceivedEvent>, PaymentNotFound>
  }
>()("@care/payments/events/GatewayEvents") {
  static readonly layer = Layer.effect(
    GatewayEvents,
    Effect.gen(function* () {
      const audit = yield* Audit
      const handling = yield* EventHandling
      const payments = yield* Payments
      const repo = yield* makeGatewayEventsRepo
      const sql = yield* SqlClient.SqlClient

      return GatewayEvents.of({
        receive: Effect.fn("GatewayEvents.receive")(function* (event) {
          const { api_version: version, created, id: eventId, type } = event
          if (version && version !== apiVersion)
            return yield* new EventOfOtherVersion({ told: version, read: apiVersion })
          const news = newsOf(event)
          const isNew = yield* repo.insert({
            id: randomUUID(),
            eventId,
            type,
            intentId: Option.match(news, { onNone: () => null, onSome: ({ intentId }) => intentId }),
            happenedAt: created === undefined ? null : new Date(created * 1000),
            createdAt: yield* DateTime.nowAsDate,
            result: Option.isSome(news) ? "PENDING" : "IGNORED"
          })
          if (isNew && Option.isSome(news)) yield* handling.offer({ eventId, ...news.value })
        }, inTransaction(sql)),

        list: Effect.fn("GatewayEvents.list")(function* ({ cursor = newest, limit, paymentId }) {
          if (paymentId === undefined) return pageFrom(yield* repo.page(cursor, limit + 1), limit)
          const organizationId = yield* payments.ownerOf(paymentId)
          const found = yield* payments.find(organizationId, paymentId)
          if (Option.isSome(found)) {
            const { caseId, userId } = found.value
            yield* audit.read({ organizationId, action: "PAYMENTS_READ", caseId, userId })
          }
          const intentId = Option.getOrUndefined(Option.flatMapNullishOr(found, ({ intentId }) => intentId))
          return pageFrom(intentId === undefined ? [] : yield* repo.pageOfIntent(intentId, cursor, limit + 1), limit)
        })
      })
    })
  ).pipe(Layer.provide([EventHandling.layer, Payments.layer]))
}
