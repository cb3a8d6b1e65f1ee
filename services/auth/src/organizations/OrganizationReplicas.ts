import type { Organization, OrganizationNotFound } from "@care/domain/auth"
import { CasesApi } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { afterCommit, inTransaction, notifyBestEffort, peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationReplication } from "./OrganizationReplication.ts"
import { Organizations } from "./Organizations.ts"
import { makeOrganizationsRepo, type OrganizationChange } from "./OrganizationsRepo.ts"

/** Changes of organizations, which the services that send to them are told of (docs/decisions/0030-snapshots.md). */
export class OrganizationReplicas extends Context.Service<
  OrganizationReplicas,
  {
    /** Changes what is given. Who sends to a disabled one is told before this is done, or soon after by a job. */
    readonly update: (
      id: OrganizationId,
      change: OrganizationChange
    ) => Effect.Effect<Organization, OrganizationNotFound>
    /** Tells how the organization stands now. Safe to repeat, in any order. */
    readonly tell: (id: OrganizationId) => Effect.Effect<void>
  }
>()("@care/auth/organizations/OrganizationReplicas") {
  static readonly layer = Layer.effect(
    OrganizationReplicas,
    Effect.gen(function* () {
      const cases = yield* peer(CasesApi, "caseFacts")
      const jobs = yield* OrganizationReplication
      const organizations = yield* Organizations
      const repo = yield* makeOrganizationsRepo
      const sql = yield* SqlClient.SqlClient

      const tell = Effect.fn("OrganizationReplicas.tell")(function* (id: OrganizationId) {
        const payload = yield* repo.snapshot(id)
        yield* Effect.orDie(cases.organizationChanged({ payload }))
      })

      return OrganizationReplicas.of({
        update: Effect.fn("OrganizationReplicas.update")(function* (id, change) {
          const changed = yield* organizations.update(id, change)
          if (change.isDisabled !== undefined) {
            yield* jobs.offer({ organizationId: id }, { delay: "2 seconds" })
            yield* afterCommit(notifyBestEffort("An organization's change", tell(id)))
          }
          return changed
        }, inTransaction(sql)),
        tell
      })
    })
  ).pipe(Layer.provide([OrganizationReplication.layer, Organizations.layer]))
}
