import { ownReconciliationApi, ReconciledService, type ServiceReconciliation } from "@care/domain/reconciliation"
import { Context, Effect, Layer } from "effect"
import { type Cell, peerOf, perCell } from "../../cells/index.ts"

/** The reconciliation of services with their providers. */
export class Reconciliations extends Context.Service<
  Reconciliations,
  {
    /** Makes a step of the sweep of one service of a cell, or of all its services together. */
    readonly sweep: (
      cell: Cell,
      service: ReconciledService | undefined
    ) => Effect.Effect<{ readonly services: ReadonlyArray<ServiceReconciliation> }>
  }
>()("@care/gateway/reconciliation/Reconciliations") {
  static readonly layer = Layer.effect(
    Reconciliations,
    Effect.gen(function* () {
      const ownersOf = yield* perCell((cell) =>
        Effect.forEach(ReconciledService.literals, (service) =>
          Effect.map(
            peerOf(cell, ownReconciliationApi(service), "ownReconciliation", { callsThirdParty: true }),
            (client) => ({ client, service })
          )
        )
      )

      return Reconciliations.of({
        sweep: Effect.fn("Reconciliations.sweep")(function* (cell, selected) {
          const services = yield* Effect.forEach(
            ownersOf(cell).filter(({ service }) => selected === undefined || selected === service),
            ({ client, service }) => Effect.map(client.sweep(), (sweep) => ({ service, ...sweep })),
            { concurrency: "unbounded" }
          )
          return { services }
        }, Effect.orDie)
      })
    })
  )
}
