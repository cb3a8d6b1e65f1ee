import { GatewayEvent } from "@care/domain/payments"
import type { SweptPage } from "@care/service"
import { Effect, Option, Schema } from "effect"
import type StripeClient from "stripe"
import { GatewayEvents, intentUpdateOf, stateOfType } from "../events/index.ts"
import { apiVersion, mergeIntentStates, PaymentIntents } from "../stripe/index.ts"

const decodeEvent = Schema.decodeUnknownOption(GatewayEvent)

// What is read of refunds and disputes is the same in all versions.
const isReadInAnyVersion = ({ api_version: version, type }: GatewayEvent): boolean =>
  !version || version === apiVersion || type.startsWith("charge.dispute.") || type.includes("refund.")

const missing = {
  MISSED: "An event of Stripe had not come",
  UNHANDLED: "An event of Stripe was not handled",
  STUCK: "An event of Stripe cannot be handled"
} as const

/**
 * Makes the function that takes in an event that Stripe shows, and answers what differed. Stripe shows an event in the version that
 * its account had then; of one in another version its type counts, and the intent itself is asked.
 */
export const makeTakeShownEvent = Effect.gen(function* () {
  const events = yield* GatewayEvents
  const intents = yield* PaymentIntents

  const told = Effect.fnUntraced(function* (event: GatewayEvent) {
    const update = intentUpdateOf(event)
    if (isReadInAnyVersion(event) || Option.isNone(update)) return update
    const { update: now } = yield* intents.find(update.value.organizationId, update.value.intentId)
    return Option.some({ ...now, state: mergeIntentStates(now.state, stateOfType(event.type)) })
  })

  return Effect.fnUntraced(function* (shown: StripeClient.Event): Effect.fn.Return<SweptPage["differences"]> {
    const { id } = shown
    const reported = (what: string) => [{ action: "REPORTED" as const, what, id, organizationId: null }]
    const event = decodeEvent(shown)
    if (Option.isNone(event)) return reported("An event of Stripe cannot be read")
    const update = yield* Effect.option(told(event.value))
    if (Option.isNone(update)) return reported("Stripe does not show the intent of an event")
    const caughtUp = yield* events.catchUp(event.value, update.value)
    // One that concerns no payment is kept, and nothing was missing without it.
    if (caughtUp === "KNOWN" || Option.isNone(update.value)) return []
    const { organizationId = null } = update.value.value
    const action = caughtUp === "STUCK" ? "REPORTED" : "REPAIRED"
    return [{ action, what: missing[caughtUp], id, organizationId }]
  })
})
