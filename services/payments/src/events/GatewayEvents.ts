import { randomUUID } from "node:crypto"
import { Audit } from "@care/audit"
import type { PageQuery } from "@care/domain/http"
import type { PaymentId } from "@care/domain/ids"
import { EventOfOtherVersion, type GatewayEvent, type PaymentNotFound, type ReceivedEvent } from "@care/domain/payments"
import { inTransaction, isTestMode, newest, type Page, pageFrom, safeCause } from "@care/service-kit"
import { Cause, Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Payments } from "../payments/index.ts"
import { apiVersion, type IntentUpdate } from "../stripe/index.ts"
import { EventHandling } from "./EventHandling.ts"
import { EventOwners } from "./EventOwners.ts"
import { makeGatewayEventsRepo } from "./GatewayEventsRepo.ts"
import { intentUpdateOf } from "./intentUpdateOf.ts"
import { makeApplyEvent } from "./makeApplyEvent.ts"

/**
 * The state of an event in the gateway's list: not received (`MISSED`), received and not applied (`UNHANDLED`, or `STUCK`
 * if it still cannot be applied), or applied (`KNOWN`).
 */
export type CatchUpResult = "MISSED" | "UNHANDLED" | "STUCK" | "KNOWN"

/** The events of the gateway. */
export class GatewayEvents extends Context.Service<
  GatewayEvents,
  {
    /**
     * Stores a signed event with the job that applies it. A known event changes nothing, nor does one of another cell, but one of an
     * organization that moved is answered with its cell; one of another version of the API is refused. Returns whether it says nothing of
     * whose it is.
     */
    readonly receive: (event: GatewayEvent) => Effect.Effect<boolean, EventOfOtherVersion>
    /** Returns those of the events that were applied or concern no payment. */
    readonly handledAmong: (eventIds: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /**
     * Applies an event of the gateway's list, also one that was stored and not yet applied. A new event that cannot be
     * applied is stored with its job.
     */
    readonly catchUp: (event: GatewayEvent, update: Option.Option<IntentUpdate>) => Effect.Effect<CatchUpResult>
    /** Returns a page of events, newest first: all, or those of a payment. */
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
      const owners = yield* EventOwners
      const payments = yield* Payments
      const repo = yield* makeGatewayEventsRepo
      const sql = yield* SqlClient.SqlClient
      const apply = yield* makeApplyEvent

      // Stores a new event and runs `follow` with its update; returns whether it is new.
      const store = Effect.fnUntraced(function* (
        { created, id: eventId, type }: GatewayEvent,
        update: Option.Option<IntentUpdate>,
        follow: (eventId: string, update: IntentUpdate) => Effect.Effect<unknown>
      ) {
        const isNew = yield* repo.insert({
          id: randomUUID(),
          eventId,
          type,
          intentId: Option.match(update, { onNone: () => null, onSome: ({ intentId }) => intentId }),
          happenedAt: created === undefined ? null : new Date(created * 1000),
          createdAt: yield* DateTime.nowAsDate,
          isTest: yield* isTestMode,
          result: Option.isSome(update) ? "PENDING" : "IGNORED"
        })
        if (isNew && Option.isSome(update)) yield* follow(eventId, update.value)
        return isNew
      }, inTransaction(sql))
      const enqueue = (eventId: string, update: IntentUpdate) => handling.offer({ eventId, ...update })

      const catchUp = Effect.fnUntraced(function* (
        event: GatewayEvent,
        update: Option.Option<IntentUpdate>
      ): Effect.fn.Return<CatchUpResult> {
        if (yield* store(event, update, apply)) return "MISSED"
        return Option.isSome(update) && (yield* apply(event.id, update.value)) ? "UNHANDLED" : "KNOWN"
      })

      return GatewayEvents.of({
        receive: Effect.fn("GatewayEvents.receive")(function* (event) {
          const { api_version: version } = event
          if (version && version !== apiVersion)
            return yield* new EventOfOtherVersion({ eventVersion: version, supportedVersion: apiVersion })
          const named = intentUpdateOf(event)
          const { isOwn, organizationId } = yield* owners.find(event, named)
          // Its job moves to another cell with the organization.
          const update = Option.map(named, (found) => ({
            ...found,
            organizationId: found.organizationId ?? organizationId
          }))
          yield* inTransaction(sql)(
            Effect.andThen(
              Option.match(update, { onNone: () => Effect.void, onSome: repo.requireHere }),
              isOwn ? store(event, update, enqueue) : Effect.void
            )
          )
          return Option.exists(update, (found) => found.organizationId === undefined)
        }),

        handledAmong: Effect.fn("GatewayEvents.handledAmong")((eventIds) =>
          Effect.map(repo.handledAmong(eventIds), (events) => new Set(events.map(({ eventId }) => eventId)))
        ),

        catchUp: Effect.fn("GatewayEvents.catchUp")((event, update) =>
          Effect.catchDefect(catchUp(event, update), (defect) =>
            Effect.andThen(
              Effect.logWarning("An event could not be applied, and is left to its job", safeCause(Cause.die(defect))),
              Effect.map(store(event, update, enqueue), (isNew) => (isNew ? "MISSED" : "STUCK"))
            )
          )
        ),

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
  ).pipe(Layer.provide([EventHandling.layer, EventOwners.layer, Payments.layer]))
}
