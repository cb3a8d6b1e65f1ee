import { peers, type ServiceName } from "@care/domain/peers"
import { FairShare } from "@care/service-kit"
import { Context, Data, Effect, Layer, Record, Scope } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"

/** Connections from the gateway to one service. */
export const connectionsPerService = 256

/** A caller has too many requests that are not answered yet. */
export class TooManyAtOnce extends Data.TaggedError("TooManyAtOnce")<{ readonly limit: number }> {}

/** Where a request takes up room: at a service, or in the gateway itself as long as the service is not known. */
type Place = ServiceName | "gateway"

/**
 * The requests that are being answered. One caller has at most so many at one service, and never more than are left for
 * others, so that whoever waits, reads slowly or sends slowly has only themselves to wait for.
 */
export class InFlight extends Context.Service<
  InFlight,
  {
    /** Counts a request of a caller until it is answered. */
    readonly enter: (place: Place, caller: string) => Effect.Effect<void, TooManyAtOnce, Scope.Scope>
  }
>()("@care/gateway/limits/InFlight") {
  static readonly layer = Layer.effect(
    InFlight,
    Effect.map(GatewaySettings, ({ limits: { requestsAtOnce: limit } }) => {
      const share = () => new FairShare({ capacity: connectionsPerService, limit })
      const shares = { gateway: share(), ...Record.map(peers, share) }
      return InFlight.of({
        enter: (place, caller) =>
          Effect.uninterruptible(
            Effect.flatMap(Effect.scope, (scope) =>
              shares[place].take(caller)
                ? Scope.addFinalizer(
                    scope,
                    Effect.sync(() => shares[place].give(caller))
                  )
                : new TooManyAtOnce({ limit })
            )
          )
      })
    })
  )
}
