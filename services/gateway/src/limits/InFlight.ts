import { peers, type ServiceName } from "@care/domain/peers"
import { FairShare } from "@care/service-kit"
import { Context, Data, Effect, Layer, Record, Scope } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"
import { FairQueue, type Waiter } from "./FairQueue.ts"
import type { Holder } from "./Holder.ts"

/** Connections from the gateway to one service. */
export const connectionsPerService = 256

/** A caller has too many requests that are not answered yet. */
export class TooManyAtOnce extends Data.TaggedError("TooManyAtOnce")<{ readonly limit: number }> {}

/**
 * Where a request takes up room: at a service, or in the gateway itself as long as the service is not known; `receiving` while
 * nobody has checked who makes it.
 */
type Place = ServiceName | "gateway" | "receiving"

// Of the room at a service, what all have together who are not verified: the rest is left for those who are.
const unverifiedPerService = connectionsPerService / 2

// A burst of quick requests is answered before that.
const longestWait = "2 seconds"

// How many requests may wait: all together, and of one caller as a multiple of what is answered at a time.
const mostWaiting = 1024
const waitingPerSlot = 4

/**
 * The requests that are being answered. One caller has at most so many at one service, and never more than are left for
 * others, so that whoever waits, reads slowly or sends slowly has only themselves to wait for.
 */
export class InFlight extends Context.Service<
  InFlight,
  {
    /** Counts a request of a caller until it is answered. It waits for a moment when there is no room for it. */
    readonly enter: (place: Place, caller: Holder) => Effect.Effect<void, TooManyAtOnce, Scope.Scope>
  }
>()("@care/gateway/limits/InFlight") {
  static readonly layer = Layer.effect(
    InFlight,
    Effect.map(GatewaySettings, ({ limits: { connections, requestsAtOnce: limit } }) => {
      const room = new FairShare({ capacity: mostWaiting, limit: waitingPerSlot * limit })
      const sharesOf = () => {
        const all = new FairShare({ capacity: connectionsPerService, limit })
        const unverified = new FairShare({ capacity: unverifiedPerService, limit, within: all })
        return { queue: new FairQueue(room), all, unverified }
      }
      const receiving = new FairShare({ capacity: connections, limit })
      const places = {
        gateway: sharesOf(),
        receiving: { queue: new FairQueue(room), all: receiving, unverified: receiving },
        ...Record.map(peers, sharesOf)
      }

      const waitFor = (queue: FairQueue, waiter: Waiter) =>
        Effect.callback<void>((resume) => {
          if (waiter.hasSlot) resume(Effect.void)
          else waiter.onSlot = () => resume(Effect.void)
        }).pipe(
          Effect.timeoutOrElse({
            duration: longestWait,
            orElse: () => {
              queue.leave(waiter)
              return Effect.fail(new TooManyAtOnce({ limit }))
            }
          })
        )

      return InFlight.of({
        enter: (place, { isVerified, name }) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(Effect.scope, (scope) => {
              const { all, queue, unverified } = places[place]
              const share = isVerified ? all : unverified
              if (queue.take(share, name)) {
                return Scope.addFinalizer(
                  scope,
                  Effect.sync(() => queue.give(share, name))
                )
              }
              const waiter = queue.wait(share, name)
              if (waiter === undefined) return new TooManyAtOnce({ limit })
              const leave = Effect.sync(() => queue.leave(waiter))
              return Effect.andThen(Scope.addFinalizer(scope, leave), restore(waitFor(queue, waiter)))
            })
          )
      })
    })
  )
}
