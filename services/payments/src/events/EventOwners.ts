import type { OrganizationId } from "@care/domain/ids"
import type { GatewayEvent } from "@care/domain/payments"
import { isTestMode, makeModes, OrganizationMoves } from "@care/service-kit"
import { Array as Arr, Cache, Context, Effect, Layer, Option, Schema } from "effect"
import { Directory } from "../Directory.ts"
import { hasOtherCells } from "../hasOtherCells.ts"
import { Payments } from "../payments/index.ts"
import { type IntentUpdate, organizationIn, PaymentIntents, StripeIntent } from "../stripe/index.ts"
import { makeGatewayEventsRepo } from "./GatewayEventsRepo.ts"

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
 * of them. Organizations are looked up instead of being marked with their cell, because they can move. An event of the account of sandboxes is
 * never a live organization's, nor the other way round.
 */
export class EventOwners extends Context.Service<
  EventOwners,
  {
    /** Returns whether an organization is of this cell. Always true if there are no other cells. */
    readonly isOfCell: (organizationId: OrganizationId) => Effect.Effect<boolean>
    /**
     * Returns the organization of an event, if it is known, and whether that is of this cell. Of an event that names none its intent decides;
     * without one it is of other software with the same account. If there are no other cells, all is of this one. In the mode of sandboxes only
     * events of known owners are. Dies as `PeerUnavailable` if it cannot be found out.
     */
    readonly find: (event: GatewayEvent, update: Option.Option<IntentUpdate>) => Effect.Effect<EventOwner>
  }
>()("@care/payments/events/EventOwners") {
  static readonly layer = Layer.effect(
    EventOwners,
    Effect.gen(function* () {
      const hasOthers = yield* hasOtherCells
      const directory = yield* Directory
      const modes = yield* makeModes
      const moves = yield* OrganizationMoves
      const intents = yield* PaymentIntents
      const payments = yield* Payments
      const repo = yield* makeGatewayEventsRepo

      const lookup = (id: OrganizationId) =>
        directory.requireOrganization(id).pipe(
          Effect.as(true),
          Effect.catchTag("OrganizationNotFound", () => Effect.succeed(false))
        )
      const known = yield* Cache.make({ capacity, timeToLive: cacheMillis, lookup })
      const isOfCell = (id: OrganizationId) =>
        hasOthers
          ? Effect.flatMap(moves.isMoving(id), (isMoving) => (isMoving ? lookup(id) : Cache.get(known, id)))
          : Effect.succeed(true)

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

      const ownerOf = (
        named: OrganizationId | undefined,
        update: Option.Option<IntentUpdate>
      ): Effect.Effect<EventOwner> => {
        if (!hasOthers) return Effect.succeed({ organizationId: undefined, isOwn: true })
        if (named !== undefined) return Effect.map(isOfCell(named), (isOwn) => ({ organizationId: named, isOwn }))
        return Option.match(update, {
          onNone: () => Effect.succeed({ organizationId: undefined, isOwn: false }),
          onSome: ({ intentId }) => ownerOfIntent(intentId)
        })
      }

      // Returns the organizations to which an event belongs by what it names, and by what is stored of its intent.
      const knownOwners = Effect.fnUntraced(function* (
        named: OrganizationId | undefined,
        update: Option.Option<IntentUpdate>
      ) {
        const stored = Option.isSome(update) ? yield* repo.ownersOf(update.value.intentId) : []
        const ids = stored.map(({ organizationId }) => organizationId)
        return Arr.dedupe(named === undefined ? ids : [named, ...ids])
      })

      return EventOwners.of({
        isOfCell,
        find: Effect.fn("EventOwners.find")(function* ({ data: { object } }, update) {
          const named = Option.getOrUndefined(Option.map(decodeObject(object), organizationIn))
          const owners = yield* knownOwners(named, update)
          const areOfMode = (yield* Effect.forEach(owners, modes.isOfMode)).every((isOfMode) => isOfMode)
          const [first] = owners
          const isOfNobodyInTest = first === undefined && (yield* isTestMode)
          if (!areOfMode || isOfNobodyInTest) {
            yield* Effect.logWarning(
              "An event of the other account of Stripe is ignored: of sandboxes, or of live organizations"
            )
            return { organizationId: first, isOwn: false }
          }
          const owner = yield* ownerOf(named, update)
          return (yield* isTestMode) ? { ...owner, organizationId: owner.organizationId ?? first } : owner
        })
      })
    })
  ).pipe(Layer.provide([PaymentIntents.layer, Payments.layer]))
}
