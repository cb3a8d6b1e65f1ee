import { peers, type ServiceName } from "@care/domain/peers"
import { Context, Effect, Layer, Record } from "effect"
import { type Cell, perCell } from "../cells/index.ts"
import { MinuteCounts } from "./MinuteCounts.ts"

/** What this process forwarded in the last hour. It is in memory alone. */
export class Traffic extends Context.Service<
  Traffic,
  { readonly of: (cell: Cell, service: ServiceName) => MinuteCounts }
>()("@care/gateway/forwarding/Traffic") {
  static readonly layer = Layer.effect(
    Traffic,
    Effect.map(
      perCell(() => Effect.sync(() => Record.map(peers, () => new MinuteCounts()))),
      (countsOf) => Traffic.of({ of: (cell, service) => countsOf(cell)[service] })
    )
  )
}
