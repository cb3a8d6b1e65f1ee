import { GatewayEvent } from "@care/domain/payments"
import type { SweepSource, SweptPage } from "@care/service-kit"
import { type Duration, Effect, Option, Schema } from "effect"
import type StripeClient from "stripe"
import { GatewayEvents } from "../events/GatewayEvents.ts"
import { factsOfType, newsOf } from "../events/newsOf.ts"
import { mergeFacts } from "../payments/IntentFacts.ts"
import { PaymentIntents } from "../stripe/PaymentIntents.ts"
import { apiVersion, Stripe } from "../stripe/Stripe.ts"
import { pagesSince } from "./pagesSince.ts"

const decodeEvent = Schema.decodeUnknownOption(GatewayEvent)

// What is read of refunds and disputes is the same in all versions.
const isReadInAnyVersion = ({ api_version: version, type }: GatewayEvent): boolean =>
  !version || version === apiVersion || type.startsWith("charge.dispute.") || type.includes("refund.")

const missing = { MISSED: "An event of Stripe had not come", UNHANDLED: "An event of Stripe was not handled" } as const

/**
 * The events of some types that Stripe shows since a cursor, but for those that were handled: each is taken in as if it had come. Stripe
 * shows an event in the version that its account had then; of one in another version its type counts, and the intent itself is asked.
 */
export const makeEventSource = Effect.fnUntraced(function* (
  name: string,
  types: ReadonlyArray<StripeClient.Event["type"]>,
  settled: Duration.Input
) {
  const events = yield* GatewayEvents
  const intents = yield* PaymentIntents
  const { ask } = yield* Stripe
  const pages = pagesSince(settled, (asked) =>
    ask(undefined, "events.list", (client) => client.events.list({ ...asked, types: [...types] }))
  )

  const told = Effect.fnUntraced(function* (event: GatewayEvent) {
    const news = newsOf(event)
    if (isReadInAnyVersion(event) || Option.isNone(news)) return news
    const { news: now } = yield* intents.find(news.value.organizationId, news.value.intentId)
    return Option.some({ ...now, facts: mergeFacts(now.facts, factsOfType(event.type)) })
  })

  const take = Effect.fnUntraced(function* (shown: StripeClient.Event): Effect.fn.Return<SweptPage["differences"]> {
    const { id } = shown
    const reported = (what: string) => [{ action: "REPORTED" as const, what, id, organizationId: null }]
    const event = decodeEvent(shown)
    if (Option.isNone(event)) return reported("An event of Stripe cannot be read")
    const news = yield* Effect.option(told(event.value))
    if (Option.isNone(news)) return reported("Stripe does not show the intent of an event")
    const caughtUp = yield* events.catchUp(event.value, news.value)
    // One that concerns no payment is kept, and nothing was missing without it.
    if (caughtUp === "KNOWN" || Option.isNone(news.value)) return []
    const { organizationId = null } = news.value.value
    return [{ action: "REPAIRED", what: missing[caughtUp], id, organizationId }]
  })

  const source: SweepSource = {
    name,
    page: Effect.fnUntraced(function* (from) {
      const { cursor, data, isLast } = yield* pages(from)
      const handled = yield* events.handledAmong(data.map(({ id }) => id))
      const differences = yield* Effect.forEach(
        data.filter(({ id }) => !handled.has(id)),
        take
      )
      return { cursor, isLast, compared: data.length, differences: differences.flat() }
    })
  }
  return source
})
