import type { ServiceHealth } from "@care/domain/gateway"
import { peers } from "@care/domain/peers"
import { Context, DateTime, Effect, Layer, Record } from "effect"
import { Cells, makeIsReady } from "../../cells/index.ts"
import { Traffic } from "../../forwarding/index.ts"

/** The health of all services of all cells, as this process sees it. */
export class ServiceHealths extends Context.Service<
  ServiceHealths,
  { readonly list: Effect.Effect<ReadonlyArray<ServiceHealth>> }
>()("@care/gateway/serviceHealth/ServiceHealths") {
  static readonly layer = Layer.effect(
    ServiceHealths,
    Effect.gen(function* () {
      const { all } = yield* Cells
      const isReady = yield* makeIsReady
      const traffic = yield* Traffic
      const owners = all.flatMap((cell) => Record.keys(peers).map((service) => ({ cell, service })))
      return ServiceHealths.of({
        list: Effect.forEach(
          owners,
          Effect.fnUntraced(function* ({ cell, service }) {
            const ready = yield* isReady(cell, service)
            const checkedAt = yield* DateTime.nowAsDate
            const lastHour = traffic.of(cell, service).lastHour(checkedAt.getTime())
            return { service, cell: cell.name, isReady: ready, checkedAt, lastHour }
          }),
          { concurrency: "unbounded" }
        )
      })
    })
  )
}
