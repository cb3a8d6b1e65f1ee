import { ownReconciliationApi, ReconciledService, type ServiceReconciliation } from "@care/domain/reconciliation"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"

/** The reconciliation of services with their providers. */
export class Reconciliations extends Context.Service<
  Reconciliations,
  {
    /** Makes a step of the sweep of one service, or of all services together. */
    readonly sweep: (
      service: ReconciledService | undefined
    ) => Effect.Effect<{ readonly services: ReadonlyArray<ServiceReconciliation> }>
  }
>()("@care/gateway/reconciliation/Reconciliations") {
  static readonly layer = Layer.effect(
    Reconciliations,
    Effect.gen(function* () {
      const owners = yield* Effect.forEach(ReconciledService.literals, (service) =>
        Effect.map(peer(ownReconciliationApi(service), "ownReconciliation", { callsThirdParty: true }), (client) => ({
          client,
          service
        }))
      )

      return Reconciliations.of({
        sweep: Effect.fn("Reconciliations.sweep")(function* (selected) {
          const services = yield* Effect.forEach(
            owners.filter(({ service }) => selected === undefined || selected === service),
            ({ client, service }) => Effect.map(client.sweep(), (sweep) => ({ service, ...sweep })),
            { concurrency: "unbounded" }
          )
          return { services }
        }, Effect.orDie)
      })
    })
  )
}
