import { peers, type ServiceName } from "@care/domain/peers"
import { FairShare } from "@care/service-kit"
import { Context, Data, Effect, Layer, Record, Scope } from "effect"
import { type Cell, Cells } from "../cells/index.ts"
import { GatewaySettings } from "../GatewaySettings.ts"
import { FairQueue, type QueueSlots, type Waiter } from "./FairQueue.ts"

/** The name under which a caller counts in shared limits. */
export interface LimitHolder {
  readonly name: string
  /** False while the caller is not authenticated. Then its name is its address. */
  readonly isVerified: boolean
  /** The cell that it calls. It is absent while that is not known, and for a list of all cells. */
  readonly cell?: Cell
}

/** Connections from the gateway to one service. */
export const connectionsPerService = 256

/** The caller has too many requests that are not answered yet. */
export class TooManyAtOnce extends Data.TaggedError("TooManyAtOnce")<{ readonly limit: number }> {}

/**
 * Where a request takes a slot: at its service; in the gateway while its service is not known; in `receiving` while its caller is not
 * authenticated. A request with a signed link takes one in `links` as well.
 */
type Area = ServiceName | "gateway" | "receiving" | "links"

// The slots of a service for all callers without authentication together. The other slots are for authenticated callers.
const unverifiedPerService = connectionsPerService / 2

// Long enough for a burst of quick requests.
const maxWait = "2 seconds"

// How many requests may wait: all together, of which callers without authentication have half; and of one caller, as a
// multiple of its slots.
const maxWaiting = 1024
const waitingPerSlot = 4

/**
 * The requests that are being answered. A caller has a limited number of slots at each service, and never more than are
 * left for others: a caller that is slow delays only itself. Each cell has its own slots, so that a cell that does not
 * answer delays no other.
 */
export class InFlight extends Context.Service<
  InFlight,
  {
    /** Takes a slot until the scope closes. Waits for 2 seconds when none is free. */
    readonly enter: (area: Area, caller: LimitHolder) => Effect.Effect<void, TooManyAtOnce, Scope.Scope>
  }
>()("@care/gateway/limits/InFlight") {
  static readonly layer = Layer.effect(
    InFlight,
    Effect.map(
      Effect.all([GatewaySettings, Cells]),
      ([
        {
          limits: { connections, requestsAtOnce: limit }
        },
        cells
      ]) => {
        const makeSlots = () => {
          const waiting = { limit: waitingPerSlot * limit }
          const room = new FairShare({ ...waiting, capacity: maxWaiting })
          const unverifiedRoom = new FairShare({ ...waiting, capacity: maxWaiting / 2, within: room })
          const slotsOf = (all: FairShare, unverified: FairShare) => ({
            queue: new FairQueue(),
            verified: { share: all, room } satisfies QueueSlots,
            unverified: { share: unverified, room: unverifiedRoom } satisfies QueueSlots
          })
          const slotsAtService = () => {
            const all = new FairShare({ capacity: connectionsPerService, limit })
            return slotsOf(all, new FairShare({ capacity: unverifiedPerService, limit, within: all }))
          }
          const receiving = new FairShare({ capacity: connections, limit })
          return {
            gateway: slotsAtService(),
            links: slotsAtService(),
            receiving: slotsOf(receiving, receiving),
            ...Record.map(peers, slotsAtService)
          }
        }
        const ofUnknownCell = makeSlots()
        const byCell = new Map(cells.all.map(({ name }) => [name, makeSlots()]))

        const waitFor = (queue: FairQueue, waiter: Waiter) =>
          Effect.callback<void>((resume) => {
            if (waiter.hasSlot) resume(Effect.void)
            else waiter.onSlot = () => resume(Effect.void)
          }).pipe(
            Effect.timeoutOrElse({
              duration: maxWait,
              orElse: () => {
                queue.leave(waiter)
                return Effect.fail(new TooManyAtOnce({ limit }))
              }
            })
          )

        return InFlight.of({
          enter: (area, { cell, isVerified, name }) =>
            Effect.uninterruptibleMask((restore) =>
              Effect.flatMap(Effect.scope, (scope) => {
                const ofCell = cell === undefined ? undefined : byCell.get(cell.name)
                const { queue, unverified, verified } = (ofCell ?? ofUnknownCell)[area]
                const slots = isVerified ? verified : unverified
                if (queue.take(slots, name)) {
                  return Scope.addFinalizer(
                    scope,
                    Effect.sync(() => queue.give(slots, name))
                  )
                }
                const waiter = queue.wait(slots, name)
                if (waiter === undefined) return new TooManyAtOnce({ limit })
                const leave = Effect.sync(() => queue.leave(waiter))
                return Effect.andThen(Scope.addFinalizer(scope, leave), restore(waitFor(queue, waiter)))
              })
            )
        })
      }
    )
  )
}
