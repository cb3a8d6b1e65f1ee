import { peers, type ServiceName } from "@care/domain/peers"
import { FairShare } from "@care/service-kit"
import { Context, Data, Effect, Layer, Record, Scope } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"
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

/**
 * The requests that are being answered. One caller has at most so many at one service, and never more than are left for
 * others, so that whoever waits, reads slowly or sends slowly has only themselves to wait for.
 */
export class InFlight extends Context.Service<
  InFlight,
  {
    /** Counts a request of a caller until it is answered. */
    readonly enter: (place: Place, caller: Holder) => Effect.Effect<void, TooManyAtOnce, Scope.Scope>
  }
>()("@care/gateway/limits/InFlight") {
  static readonly layer = Layer.effect(
    InFlight,
    Effect.map(GatewaySettings, ({ limits: { connections, requestsAtOnce: limit } }) => {
      const shares = () => {
        const all = new FairShare({ capacity: connectionsPerService, limit })
        return { all, unverified: new FairShare({ capacity: unverifiedPerService, limit, within: all }) }
      }
      const receiving = new FairShare({ capacity: connections, limit })
      const places = {
        gateway: shares(),
        receiving: { all: receiving, unverified: receiving },
        ...Record.map(peers, shares)
      }
      return InFlight.of({
        enter: (place, { isVerified, name }) =>
          Effect.uninterruptible(
            Effect.flatMap(Effect.scope, (scope) => {
              const share = isVerified ? places[place].all : places[place].unverified
              return share.take(name)
                ? Scope.addFinalizer(
                    scope,
                    Effect.sync(() => share.give(name))
                  )
                : new TooManyAtOnce({ limit })
            })
          )
      })
    })
  )
}
