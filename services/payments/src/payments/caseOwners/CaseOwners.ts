import { CaseForbidden, type CaseNotFound, caseLookupApi } from "@care/domain/cases"
import type { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { makeCaseOwnersRepo } from "./CaseOwnersRepo.ts"

/** The patients of cases. Each is requested from cases once and stored, because it never changes. */
export class CaseOwners extends Context.Service<
  CaseOwners,
  {
    /** Returns the patient of a case of the organization. */
    readonly patientOf: (
      organizationId: OrganizationId,
      caseId: CaseId
    ) => Effect.Effect<UserId, CaseNotFound | CaseForbidden>
  }
>()("@care/payments/caseOwners/CaseOwners") {
  static readonly layer = Layer.effect(
    CaseOwners,
    Effect.gen(function* () {
      const cases = yield* peer(caseLookupApi, "caseLookup")
      const repo = yield* makeCaseOwnersRepo

      return CaseOwners.of({
        patientOf: Effect.fn("CaseOwners.patientOf")(function* (organizationId, caseId) {
          const stored = yield* repo.find(organizationId, caseId)
          if (Option.isSome(stored)) return stored.value.userId
          const owner = yield* Effect.catchTags(cases.owner({ params: { caseId } }), unexpected)
          // Cases of other organizations are not stored, so that nobody can fill the table.
          if (owner.organizationId !== organizationId) return yield* new CaseForbidden({ caseId })
          yield* repo.insert(owner, caseId)
          return owner.userId
        })
      })
    })
  )
}
