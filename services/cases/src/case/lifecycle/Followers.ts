import type { CaseId, OrganizationId } from "@care/domain/ids"
import { SchedulingApi } from "@care/domain/scheduling"
import { notifyBestEffort, peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { makeCasesRepo } from "./CasesRepo.ts"

/** The services that follow cases: what they know of them (docs/decisions/0030-snapshots.md). */
export class Followers extends Context.Service<
  Followers,
  {
    /** Tells how cases stand now, those of them that are followed. Safe to repeat, in any order. */
    readonly tell: (organizationId: OrganizationId, caseIds: ReadonlyArray<CaseId>) => Effect.Effect<void>
    /** The same, before whoever moved them goes on. When that fails or takes half a second, it is left to a job. */
    readonly notifyBestEffort: (organizationId: OrganizationId, caseIds: ReadonlyArray<CaseId>) => Effect.Effect<void>
  }
>()("@care/cases/lifecycle/Followers") {
  static readonly layer = Layer.effect(
    Followers,
    Effect.gen(function* () {
      const repo = yield* makeCasesRepo
      const scheduling = yield* peer(SchedulingApi, "followedCases")

      const tell = Effect.fn("Followers.tell")(function* (
        organizationId: OrganizationId,
        caseIds: ReadonlyArray<CaseId>
      ) {
        const facts = yield* repo.followed(organizationId, caseIds)
        if (facts.length > 0) yield* Effect.orDie(scheduling.changed({ payload: { facts } }))
      })

      return Followers.of({
        tell,
        notifyBestEffort: (organizationId, caseIds) =>
          notifyBestEffort("How a case stands", tell(organizationId, caseIds))
      })
    })
  )
}
