import type { OrganizationId } from "@care/domain/ids"
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { DeliveryWakeUp } from "../deliveries/DeliveryWakeUp.ts"
import { eventOf } from "./eventOf.ts"
import { makeRelayRepo } from "./RelayRepo.ts"

const batch = 100

// Organizations take turns among this many of the oldest entries, which is more than the write limit allows one of them in a burst.
const window = 5000

/**
 * Gives committed entries of case activity a position as events, and stores their deliveries. One relay runs at a time, over all instances,
 * until it has committed, so that whoever reads the events after a position never misses one that is committed later. Events of a sandbox
 * whose clock is being moved wait for the next run.
 */
export class EventRelay extends Context.Service<
  EventRelay,
  {
    /** Relays the oldest entries. Returns whether there may be more. */
    readonly relayNext: Effect.Effect<boolean>
  }
>()("@care/cases/webhooks/EventRelay") {
  static readonly layer = Layer.effect(
    EventRelay,
    Effect.gen(function* () {
      const wakeUp = yield* DeliveryWakeUp
      const repo = yield* makeRelayRepo
      const sql = yield* SqlClient.SqlClient

      const placeNext = Effect.gen(function* () {
        yield* repo.lock
        const found = { activities: yield* repo.awaiting(batch, window), ownEvents: yield* repo.own(batch) }
        const organizations = new Set(
          [...found.activities, ...found.ownEvents].map(({ organizationId }) => organizationId)
        )
        const moving = new Set((yield* repo.moving([...organizations])).map(({ organizationId }) => organizationId))
        const isStill = ({ organizationId }: { readonly organizationId: OrganizationId }) => !moving.has(organizationId)
        const [activities, ownEvents] = [found.activities.filter(isStill), found.ownEvents.filter(isStill)]
        const events = [
          ...activities.flatMap(eventOf),
          ...ownEvents.map((event) => ({ ...event, caseId: null, isTest: false }))
        ]
        if (events.length > 0) yield* repo.place(events, yield* DateTime.nowAsDate)
        if (activities.length > 0) yield* repo.endAwaiting(activities)
        if (ownEvents.length > 0) yield* repo.removeOwn(ownEvents)
        yield* wakeUp.tell
        const isFull = found.activities.length === batch || found.ownEvents.length === batch
        return isFull && activities.length + ownEvents.length > 0
      }).pipe(inTransaction(sql))

      return EventRelay.of({
        relayNext: Effect.flatMap(repo.isAnyAwaiting, (isAny) => (isAny ? placeNext : Effect.succeed(false)))
      })
    })
  ).pipe(Layer.provide(DeliveryWakeUp.layer))
}
