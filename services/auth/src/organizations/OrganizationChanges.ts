import type { Organization, OrganizationNotFound } from "@care/domain/auth"
import { CasesApi } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { afterCommit, inTransaction, peer, tellAtOnce } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationNews } from "./OrganizationNews.ts"
import { Organizations } from "./Organizations.ts"
import { makeOrganizationsRepo, type OrganizationChange } from "./OrganizationsRepo.ts"

/** Changes of organizations, which the services that send to them are told of (docs/decisions/0030-facts.md). */
export class OrganizationChanges extends Context.Service<
  OrganizationChanges,
  {
    /** Changes what is given. Who sends to a disabled one is told before this is done, or soon after by a job. */
    readonly update: (
      id: OrganizationId,
      change: OrganizationChange
    ) => Effect.Effect<Organization, OrganizationNotFound>
    /** Tells how the organization stands now. Safe to repeat, in any order. */
    readonly tell: (id: OrganizationId) => Effect.Effect<void>
  }
>()("@care/auth/organizations/OrganizationChanges") {
  static readonly layer = Layer.effect(
    OrganizationChanges,
    Effect.gen(function* () {
      const cases = yield* peer(CasesApi, "caseFacts")
      const jobs = yield* OrganizationNews
      const organizations = yield* Organizations
      const repo = yield* makeOrganizationsRepo
      const sql = yield* SqlClient.SqlClient

      const tell = Effect.fn("OrganizationChanges.tell")(function* (id: OrganizationId) {
        const payload = yield* repo.fact(id)
        yield* Effect.orDie(cases.organizationChanged({ payload }))
      })

      return OrganizationChanges.of({
        update: Effect.fn("OrganizationChanges.update")(function* (id, change) {
          const changed = yield* organizations.update(id, change)
          if (change.isDisabled !== undefined) {
            yield* jobs.offer({ organizationId: id }, { delay: "2 seconds" })
            yield* afterCommit(tellAtOnce("An organization's change", tell(id)))
          }
          return changed
        }, inTransaction(sql)),
        tell
      })
    })
  ).pipe(Layer.provide([OrganizationNews.layer, Organizations.layer]))
}
