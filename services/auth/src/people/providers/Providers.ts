import { type PrescriberSummary, ProviderUnknown } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { makeProvidersRepo } from "./ProvidersRepo.ts"

export class Providers extends Context.Service<
  Providers,
  {
    /** Returns how an active provider of the organization is shown as the prescriber of a decision. */
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
        prescriber: Effect.fn("Providers.prescriber")(function* (organizationId, userId) {
          const found = yield* repo.findPrescriber(organizationId, userId)
          return yield* Effect.fromOption(found, () => new ProviderUnknown({ userId }))
        })
      })
    })
  )
}
