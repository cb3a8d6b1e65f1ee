import { type PrescriberSummary, ProviderUnknown } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { makeProvidersRepo } from "./ProvidersRepo.ts"

export class Providers extends Context.Service<
  Providers,
  {
    /**
     * Those who may be assigned a case of the patient: active, and licensed in the patient's state. One whose licences are
     * not known may, and so may all when the patient's state is not known.
     */
    readonly eligible: (organizationId: OrganizationId, patientId: UserId) => Effect.Effect<ReadonlyArray<UserId>>
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
        eligible: Effect.fn("Providers.eligible")(function* (organizationId, patientId) {
          const providers = yield* repo.active(organizationId, patientId)
          return providers
            .filter(
              ({ licensedStates, patientState }) =>
                licensedStates.length === 0 || patientState === null || licensedStates.includes(patientState)
            )
            .map(({ id }) => id)
        }),
        prescriber: Effect.fn("Providers.prescriber")(function* (organizationId, userId) {
          const found = yield* repo.findPrescriber(organizationId, userId)
          return yield* Effect.fromOption(found, () => new ProviderUnknown({ userId }))
        })
      })
    })
  )
}
