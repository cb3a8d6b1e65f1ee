import type { OrganizationId } from "@care/domain/ids"
import { PeerUnavailable } from "@care/service-kit"
import { Effect } from "effect"
import type StripeClient from "stripe"
import type { Stripe, StripeRefused } from "./Stripe.ts"

/** The most objects that are searched. The window of an operation has fewer. */
const maxSearched = 1000

/**
 * Finds the object of an operation (`metadata.operationId`) in a list of Stripe. Dies as `PeerUnavailable` when the list is too long to
 * be searched, because the outcome is unknown then.
 */
export const findByOperationId = Effect.fnUntraced(function* <
  A extends { readonly metadata: StripeClient.Metadata | null }
>(
  { ask }: Stripe["Service"],
  organizationId: OrganizationId | undefined,
  name: string,
  operationId: string,
  list: (client: StripeClient) => AsyncIterable<A>
): Effect.fn.Return<A | undefined, StripeRefused> {
  let searched = 0
  const found = yield* ask(organizationId, name, async (client) => {
    for await (const object of list(client)) {
      if (object.metadata?.["operationId"] === operationId) return object
      searched += 1
      if (searched === maxSearched) return undefined
    }
    return undefined
  })
  return searched === maxSearched ? yield* Effect.die(new PeerUnavailable({ peer: "Stripe" })) : found
})
