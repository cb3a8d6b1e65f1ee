import { Effect } from "effect"
import { ProviderApi, resourceOf, User } from "../provider/index.ts"

/** The URI of the organization at the provider whose token we have, which lists are asked for with. */
export const ownOrganization = Effect.gen(function* () {
  const { read } = yield* ProviderApi
  return (yield* read(undefined, "/users/me", {}, resourceOf(User))).resource.current_organization
})
