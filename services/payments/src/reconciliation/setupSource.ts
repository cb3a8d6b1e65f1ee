import type { SweepSource, SweptPage } from "@care/service"
import { type Duration, Effect } from "effect"
import type StripeClient from "stripe"
import { EventOwners } from "../events/index.ts"
import { organizationIn, patientIn, Stripe } from "../stripe/index.ts"
import { pagesSince } from "./pagesSince.ts"
import { makeSweptPaymentsRepo } from "./SweptPaymentsRepo.ts"

/**
 * Makes a source that reports confirmed setup intents whose patients have saved no method since. They are only reported, because the
 * partner has to complete them with a shipping address.
 */
export const makeSetupSource = Effect.fnUntraced(function* (settlingTime: Duration.Input) {
  const owners = yield* EventOwners
  const repo = yield* makeSweptPaymentsRepo
  const { ask } = yield* Stripe
  const pages = pagesSince(settlingTime, (query) =>
    ask(undefined, "events.list", (client) => client.events.list({ ...query, types: ["setup_intent.succeeded"] }))
  )

  const compare = Effect.fnUntraced(function* (event: StripeClient.Event): Effect.fn.Return<SweptPage["differences"]> {
    if (event.type !== "setup_intent.succeeded") return []
    const { created, id, metadata } = event.data.object
    const [organizationId, userId] = [organizationIn({ metadata }), patientIn({ metadata })]
    if (organizationId === undefined || userId === undefined) return []
    if (!(yield* owners.isOfCell(organizationId))) return []
    if (yield* repo.hasSavedSince(organizationId, userId, new Date(created * 1000))) return []
    return [{ action: "REPORTED", what: "A setup intent was confirmed, and not completed", id, organizationId }]
  })

  const source: SweepSource = {
    name: "stripe-setups",
    page: Effect.fnUntraced(function* (from) {
      const { cursor, data, isLast } = yield* pages(from)
      const differences = yield* Effect.forEach(data, compare)
      return { cursor, isLast, compared: data.length, differences: differences.flat() }
    })
  }
  return source
})
