import { CasesApi, type OrganizationId, type UserId } from "@care/domain"
import { peerHttpClient } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { HttpApiClient } from "effect/http-api"
import { AuthSettings } from "../AuthSettings.ts"

/** Whether a patient's name, day of birth and gender are locked: the cases service knows. */
export class ProfileLocks extends Context.Service<
  ProfileLocks,
  { readonly isLocked: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<boolean> }
>()("@care/auth/users/ProfileLocks") {
  static readonly layer = Layer.effect(
    ProfileLocks,
    Effect.gen(function* () {
      const { casesUrl } = yield* AuthSettings
      const cases = yield* HttpApiClient.group(CasesApi, {
        group: "caseFacts",
        httpClient: yield* peerHttpClient("cases", casesUrl)
      })
      return ProfileLocks.of({
        isLocked: (organizationId, userId) =>
          cases.profileLock({ params: { organizationId, userId } }).pipe(
            Effect.map(({ isLocked }) => isLocked),
            Effect.orDie
          )
      })
    })
  )
}
