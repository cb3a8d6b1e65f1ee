import { Effect } from "effect"
import { ProviderApi, resourceOf, User } from "../provider/index.ts"

/** Reads the URI of the token's organization, which lists need. */
export const ownOrganization = Effect.gen(function* () {
  const { read } = yield* ProviderApi
  return (yield* read(undefined, "/users/me", {}, resourceOf(User))).resource.current_organization
})
