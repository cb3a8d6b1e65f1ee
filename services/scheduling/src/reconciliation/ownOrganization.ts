import { Effect } from "effect"
import { ProviderApi } from "../provider/ProviderApi.ts"
import { resourceOf, User } from "../provider/providerObjects.ts"

/** The URI of the organization at the provider whose token we have, which lists are asked for with. */
export const ownOrganization = Effect.gen(function* () {
  const { read } = yield* ProviderApi
  return (yield* read(undefined, "/users/me", {}, resourceOf(User))).resource.current_organization
})
