import type { OrganizationNotFound } from "@care/domain/auth"
import type { Dashboard } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { paymentLookupApi } from "@care/domain/payments"
import { currentStaff, isUnavailable, peer, Time } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { Directory } from "../../case/index.ts"
import { makeDashboardRepo } from "./DashboardRepo.ts"

/** Counts of what waits to be done for organizations. */
export class Dashboards extends Context.Service<
  Dashboards,
  {
    readonly read: (organizationId: OrganizationId) => Effect.Effect<Dashboard, OrganizationNotFound>
    /** Returns the entity tag of the dashboard. It changes with each case, and each minute, because ages and payments change without one. */
    readonly tagOf: (organizationId: OrganizationId) => Effect.Effect<string, OrganizationNotFound>
  }
>()("@care/cases/dashboard/Dashboards") {
  static readonly layer = Layer.effect(
    Dashboards,
    Effect.gen(function* () {
      const directory = yield* Directory
      const payments = yield* peer(paymentLookupApi, "paymentLookup")
      const repo = yield* makeDashboardRepo

      const held = (organizationId: OrganizationId) =>
        Effect.orDie(payments.countHeld({ params: { organizationId } })).pipe(
          Effect.map(({ count }): number | null => count),
          Effect.catchDefect((defect) => (isUnavailable(defect) ? Effect.succeed(null) : Effect.die(defect)))
        )

      return Dashboards.of({
        tagOf: Effect.fn("Dashboards.tagOf")(function* (organizationId) {
          yield* directory.requireOrganization(organizationId)
          const { lastChangeAt } = yield* repo.lastChange(organizationId)
          const minute = Math.floor((yield* Time.nowMillis) / 60_000)
          return `W/"${lastChangeAt?.getTime() ?? 0}-${minute}"`
        }),

        read: Effect.fn("Dashboards.read")(function* (organizationId) {
          yield* directory.requireOrganization(organizationId)
          const staff = yield* currentStaff
          const provider = staff?.role === "PROVIDER" ? staff.userId : undefined
          const [counts, paymentsHeld] = yield* Effect.all(
            [repo.counts(organizationId, provider, yield* Time.nowAsDate), held(organizationId)],
            { concurrency: "unbounded" }
          )
          return { ...counts, paymentsHeld }
        })
      })
    })
  )
}
