import type { OrganizationId } from "@care/domain/ids"
import { peers } from "@care/domain/peers"
import { ownUsageApi, type Usage } from "@care/domain/usage"
import { Context, Effect, Layer, Record } from "effect"
import { CellOfId, peerOf, perCell } from "../../cells/index.ts"

/** What organizations store in all services. `find` dies if one of the services does not answer. */
export class Usages extends Context.Service<
  Usages,
  { readonly find: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Usage>> }
>()("@care/gateway/usage/Usages") {
  static readonly layer = Layer.effect(
    Usages,
    Effect.gen(function* () {
      const cellOfId = yield* CellOfId
      const clientsOf = yield* perCell((cell) =>
        Effect.all(Record.map(peers, (_, service) => peerOf(cell, ownUsageApi(service), "ownUsage")))
      )
      return Usages.of({
        find: Effect.fn("Usages.find")(function* (organizationId) {
          const clients = clientsOf(yield* cellOfId.find("organizationId", organizationId))
          const byService = yield* Effect.forEach(
            Record.keys(clients),
            (service) =>
              Effect.map(clients[service].find({ params: { organizationId } }), (usages) =>
                usages.map((usage): Usage => ({ service, ...usage }))
              ),
            { concurrency: "unbounded" }
          )
          return byService.flat()
        }, Effect.orDie)
      })
    })
  )
}
