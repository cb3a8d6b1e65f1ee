import type { SweepSource, SweptPage } from "@care/service"
import { type Duration, Effect } from "effect"
import type StripeClient from "stripe"
import { organizationIn, patientIn, Stripe } from "../stripe/index.ts"
import { pagesSince } from "./pagesSince.ts"
import { makeSweptPaymentsRepo } from "./SweptPaymentsRepo.ts"

/**
 * The setup intents that were confirmed at Stripe since a cursor, of a patient who has saved no method since: reported, because the
 * partner completes them, with an address that Stripe does not know.
 */
export const makeSetupSource = Effect.fnUntraced(function* (settled: Duration.Input) {
  const repo = yield* makeSweptPaymentsRepo
  const { ask } = yield* Stripe
  const pages = pagesSince(settled, (asked) =>
    ask(undefined, "events.list", (client) => client.events.list({ ...asked, types: ["setup_intent.succeeded"] }))
  )

  const look = Effect.fnUntraced(function* (event: StripeClient.Event): Effect.fn.Return<SweptPage["differences"]> {
    if (event.type !== "setup_intent.succeeded") return []
    const { created, id, metadata } = event.data.object
    const [organizationId, userId] = [organizationIn({ metadata }), patientIn({ metadata })]
    if (organizationId === undefined || userId === undefined) return []
    if (yield* repo.hasSavedSince(organizationId, userId, new Date(created * 1000))) return []
    return [{ action: "REPORTED", what: "A setup intent was confirmed, and not completed", id, organizationId }]
  })

  const source: SweepSource = {
    name: "stripe-setups",
    page: Effect.fnUntraced(function* (from) {
      const { cursor, data, isLast } = yield* pages(from)
      const differences = yield* Effect.forEach(data, look)
      return { cursor, isLast, compared: data.length, differences: differences.flat() }
    })
  }
  return source
})
