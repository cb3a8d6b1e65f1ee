import { PeerUnavailable } from "@care/service-kit"
import { Effect } from "effect"
import type StripeClient from "stripe"
import type { CalledFor, Stripe, StripeRefused } from "./Stripe.ts"

/** How many things are looked at: more were not made within the time that an operation takes. */
const most = 1000

/**
 * Finds what an operation made, which says so (`metadata.operationId`), in a list of Stripe. Dies when the list is too long to
 * be looked through: then nobody knows.
 */
export const findMade = Effect.fnUntraced(function* <A extends { readonly metadata: StripeClient.Metadata | null }>(
  { ask }: Stripe["Service"],
  calledFor: CalledFor,
  name: string,
  operationId: string,
  list: (client: StripeClient) => AsyncIterable<A>
): Effect.fn.Return<A | undefined, StripeRefused> {
  let seen = 0
  const found = yield* ask(calledFor, name, async (client) => {
    for await (const one of list(client)) {
      if (one.metadata?.["operationId"] === operationId) return one
      seen += 1
      if (seen === most) return undefined
    }
    return undefined
  })
  return seen === most ? yield* Effect.die(new PeerUnavailable({ peer: "Stripe" })) : found
})
