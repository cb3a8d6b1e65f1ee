import { type PrescriberSummary, ProviderUnknown } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { makeProvidersRepo } from "./ProvidersRepo.ts"

/** Patients, and the providers who may be assigned a case of any of them. */
export interface EligibleProviders {
  readonly patientIds: ReadonlyArray<UserId>
  readonly providerIds: ReadonlyArray<UserId>
}

export class Providers extends Context.Service<
  Providers,
  {
    /**
     * Those who may be assigned a case of each of the patients: active, and licensed in the patient's state. One whose
     * licences are not known may, and so may all when the patient's state is not known. Patients of one state are together.
     * Of more than a hundred a hundred are told, who follow each other by their ids, others for other patients.
     */
    readonly eligible: (
      organizationId: OrganizationId,
      patientIds: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyArray<EligibleProviders>>
    /** How an active provider of the organization is shown on what they decide. */
    readonly prescriber: (
      organizationId: OrganizationId,
      userId: UserId
    ) => Effect.Effect<PrescriberSummary, ProviderUnknown>
  }
>()("@care/auth/providers/Providers") {
  static readonly layer = Layer.effect(
    Providers,
    Effect.gen(function* () {
      const repo = yield* makeProvidersRepo
      return Providers.of({
        eligible: Effect.fn("Providers.eligible")(function* (organizationId, patientIds) {
          const patients = yield* repo.patients(organizationId, patientIds)
          const states = new Map(patients.map(({ id, state }) => [id, state]))
          const byState = [...Map.groupBy(patientIds, (id) => states.get(id) ?? "")]
          const licensed = yield* repo.licensedIn(
            organizationId,
            byState.flatMap(([state, [near]]) => (near === undefined ? [] : [{ state, near }]))
          )
          return byState.map(([, patientIds], index) => ({ patientIds, providerIds: licensed[index] ?? [] }))
        }),
        prescriber: Effect.fn("Providers.prescriber")(function* (organizationId, userId) {
          const found = yield* repo.findPrescriber(organizationId, userId)
          return yield* Effect.fromOption(found, () => new ProviderUnknown({ userId }))
        })
      })
    })
  )
}
