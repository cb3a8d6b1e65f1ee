import type { OrganizationNotFound } from "@care/domain/auth"
import type { Dashboard } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { PaymentsApi } from "@care/domain/payments"
import { isUnavailable, peer } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { Directory } from "../../case/index.ts"
import { makeDashboardRepo } from "./DashboardRepo.ts"

/** Counts of what waits to be done for organizations. */
export class Dashboards extends Context.Service<
  Dashboards,
  {
    readonly read: (organizationId: OrganizationId) => Effect.Effect<Dashboard, OrganizationNotFound>
  }
>()("@care/cases/dashboard/Dashboards") {
  static readonly layer = Layer.effect(
    Dashboards,
    Effect.gen(function* () {
      const directory = yield* Directory
      const payments = yield* peer(PaymentsApi, "paymentLookup")
      const repo = yield* makeDashboardRepo

      const held = (organizationId: OrganizationId) =>
        Effect.orDie(payments.countHeld({ params: { organizationId } })).pipe(
          Effect.map(({ count }): number | null => count),
          Effect.catchDefect((defect) => (isUnavailable(defect) ? Effect.succeed(null) : Effect.die(defect)))
        )

      return Dashboards.of({
        read: Effect.fn("Dashboards.read")(function* (organizationId) {
          yield* directory.requireOrganization(organizationId)
          const now = yield* DateTime.now
          const ago = (hours: number) => DateTime.toDateUtc(DateTime.subtract(now, { hours }))
          const ages = { oneHour: ago(1), fourHours: ago(4), oneDay: ago(24) }
          const [{ longer, underFourHours, underOneDay, underOneHour, ...counts }, paymentsHeld] = yield* Effect.all(
            [repo.counts(organizationId, ages), held(organizationId)],
            { concurrency: "unbounded" }
          )
          return { waiting: { underOneHour, underFourHours, underOneDay, longer }, ...counts, paymentsHeld }
        })
      })
    })
  )
}
