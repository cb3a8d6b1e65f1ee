import { AuthApi, type OrganizationNotFound } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"

/** What payments asks auth. */
export class Directory extends Context.Service<
  Directory,
  { readonly requireOrganization: (id: OrganizationId) => Effect.Effect<void, OrganizationNotFound> }
>()("@care/payments/directory/Directory") {
  static readonly layer = Layer.effect(
    Directory,
    Effect.gen(function* () {
      const auth = yield* peer(AuthApi, "directory")
      return Directory.of({
        requireOrganization: (organizationId) =>
          auth.organization({ params: { organizationId } }).pipe(Effect.asVoid, Effect.catchTags(unexpected))
      })
    })
  )
}
