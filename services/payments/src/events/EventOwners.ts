import type { OrganizationId } from "@care/domain/ids"
import type { GatewayEvent } from "@care/domain/payments"
import { OrganizationMoves } from "@care/service-kit"
import { Cache, Context, Effect, Layer, Option, Schema } from "effect"
import { Directory } from "../Directory.ts"
import { hasOtherCells } from "../hasOtherCells.ts"
import { Payments } from "../payments/index.ts"
import { type IntentUpdate, organizationIn, PaymentIntents, StripeIntent } from "../stripe/index.ts"

const capacity = 10_000

// Not longer than a move waits (`care org move`).
const cacheMillis = 10_000

const decodeObject = Schema.decodeUnknownOption(Schema.Struct({ metadata: StripeIntent.fields.metadata }))

interface EventOwner {
  readonly organizationId: OrganizationId | undefined
  readonly isOwn: boolean
}

/**
 * Tells events of this cell's organizations from those of others: cells may share an account of the gateway, which sends each event to all
 * of them. Organizations are looked up instead of being marked with their cell, because they can move.
 */
export class EventOwners extends Context.Service<
  EventOwners,
  {
    /** Returns whether an organization is of this cell. Always true if there are no other cells. */
    readonly isOfCell: (organizationId: OrganizationId) => Effect.Effect<boolean>
    /**
     * Returns the organization of an event, if it is known, and whether that is of this cell. Of an event that names none its intent decides;
     * without one it is of other software with the same account. If there are no other cells, all is of this one. Dies as `PeerUnavailable`
     * if it cannot be found out.
     */
    readonly find: (event: GatewayEvent, update: Option.Option<IntentUpdate>) => Effect.Effect<EventOwner>
  }
>()("@care/payments/events/EventOwners") {
  static readonly layer = Layer.effect(
    EventOwners,
    Effect.gen(function* () {
      if (!(yield* hasOtherCells)) {
        return EventOwners.of({
          isOfCell: () => Effect.succeed(true),
          find: () => Effect.succeed({ organizationId: undefined, isOwn: true })
        })
      }
      const directory = yield* Directory
      const moves = yield* OrganizationMoves
      const intents = yield* PaymentIntents
      const payments = yield* Payments

      const lookup = (id: OrganizationId) =>
        directory.requireOrganization(id).pipe(
          Effect.as(true),
          Effect.catchTag("OrganizationNotFound", () => Effect.succeed(false))
        )
      const known = yield* Cache.make({ capacity, timeToLive: cacheMillis, lookup })
      const isOfCell = (id: OrganizationId) =>
        Effect.flatMap(moves.isMoving(id), (isMoving) => (isMoving ? lookup(id) : Cache.get(known, id)))

      // Disputes, and refunds that were made on the gateway's own page, name their intent alone. An intent of before there were other cells
      // may be stored without an organization, as long as it has no payment.
      const ownerOfIntent = Effect.fnUntraced(function* (intentId: string) {
        const stored = yield* payments.findIntent(intentId)
        if (Option.isSome(stored)) {
          const { organizationId } = stored.value
          if (organizationId === null) return { organizationId: undefined, isOwn: true }
          return { organizationId, isOwn: yield* isOfCell(organizationId) }
        }
        const found = yield* Effect.option(intents.find(undefined, intentId))
        const organizationId = Option.getOrUndefined(found)?.update.organizationId
        return { organizationId, isOwn: organizationId !== undefined && (yield* isOfCell(organizationId)) }
      })

      return EventOwners.of({
        isOfCell,
        find: Effect.fn("EventOwners.find")(function* ({ data: { object } }, update) {
          const named = Option.getOrUndefined(Option.map(decodeObject(object), organizationIn))
          if (named !== undefined) return { organizationId: named, isOwn: yield* isOfCell(named) }
          return Option.isNone(update)
            ? { organizationId: undefined, isOwn: false }
            : yield* ownerOfIntent(update.value.intentId)
        })
      })
    })
  ).pipe(Layer.provide([PaymentIntents.layer, Payments.layer]))
}
