import type { OrganizationId } from "@care/domain/ids"
import type { GatewayEvent } from "@care/domain/payments"
import { Cache, Context, Effect, Layer, Option, Schema } from "effect"
import { Directory } from "../Directory.ts"
import { hasOtherCells } from "../hasOtherCells.ts"
import { Payments } from "../payments/index.ts"
import { type IntentUpdate, organizationIn, PaymentIntents, StripeIntent } from "../stripe/index.ts"

const capacity = 10_000

// An organization may move to another cell.
const cacheMillis = 10_000

const decodeObject = Schema.decodeUnknownOption(Schema.Struct({ metadata: StripeIntent.fields.metadata }))

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
     * Returns whether an event is of an organization of this cell. Of an event that names none its intent decides; without one it is of
     * other software with the same account. Always true if there are no other cells. Dies as `PeerUnavailable` if it cannot be found out.
     */
    readonly isOwn: (event: GatewayEvent, update: Option.Option<IntentUpdate>) => Effect.Effect<boolean>
  }
>()("@care/payments/events/EventOwners") {
  static readonly layer = Layer.effect(
    EventOwners,
    Effect.gen(function* () {
      if (!(yield* hasOtherCells)) {
        return EventOwners.of({ isOfCell: () => Effect.succeed(true), isOwn: () => Effect.succeed(true) })
      }
      const directory = yield* Directory
      const intents = yield* PaymentIntents
      const payments = yield* Payments

      const known = yield* Cache.make({
        capacity,
        timeToLive: cacheMillis,
        lookup: (id: OrganizationId) =>
          directory.requireOrganization(id).pipe(
            Effect.as(true),
            Effect.catchTag("OrganizationNotFound", () => Effect.succeed(false))
          )
      })
      const isOfCell = (id: OrganizationId) => Cache.get(known, id)

      // Disputes, and refunds that were made on the gateway's own page, name their intent alone. An intent of before there were other cells
      // may be stored without an organization.
      const isIntentOwn = Effect.fnUntraced(function* (intentId: string) {
        const stored = yield* payments.findIntent(intentId)
        if (Option.isSome(stored)) {
          const { organizationId } = stored.value
          return organizationId === null || (yield* isOfCell(organizationId))
        }
        const found = yield* Effect.option(intents.find(undefined, intentId))
        const owner = Option.getOrUndefined(found)?.update.organizationId
        return owner !== undefined && (yield* isOfCell(owner))
      })

      return EventOwners.of({
        isOfCell,
        isOwn: Effect.fn("EventOwners.isOwn")(function* ({ data: { object } }, update) {
          const named = Option.getOrUndefined(Option.map(decodeObject(object), organizationIn))
          if (named !== undefined) return yield* isOfCell(named)
          return Option.isSome(update) && (yield* isIntentOwn(update.value.intentId))
        })
      })
    })
  ).pipe(Layer.provide([PaymentIntents.layer, Payments.layer]))
}
