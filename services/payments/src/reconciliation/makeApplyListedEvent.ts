import { GatewayEvent } from "@care/domain/payments"
import type { SweptPage } from "@care/service"
import { makeModes } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import type StripeClient from "stripe"
import { EventOwners, GatewayEvents, intentUpdateOf, stateOfType } from "../events/index.ts"
import { apiVersion, mergeIntentStates, PaymentIntents } from "../stripe/index.ts"

const decodeEvent = Schema.decodeUnknownOption(GatewayEvent)

// The fields that are read of refunds and disputes are the same in all versions.
const isReadInAnyVersion = ({ api_version: version, type }: GatewayEvent): boolean =>
  !version || version === apiVersion || type.startsWith("charge.dispute.") || type.includes("refund.")

const differences = {
  MISSED: "An event of Stripe had not come",
  UNHANDLED: "An event of Stripe was not handled",
  STUCK: "An event of Stripe cannot be handled"
} as const

/**
 * Makes the function that applies an event of Stripe's list, and returns the differences. Events have the API version that the account had
 * when they were created. Of one in another version only the type counts, and the state is read from the intent.
 */
export const makeApplyListedEvent = Effect.gen(function* () {
  const events = yield* GatewayEvents
  const owners = yield* EventOwners
  const intents = yield* PaymentIntents
  const modes = yield* makeModes

  const updateOf = Effect.fnUntraced(function* (event: GatewayEvent) {
    const update = intentUpdateOf(event)
    if (isReadInAnyVersion(event) || Option.isNone(update)) return update
    const { update: current } = yield* intents.find(update.value.organizationId, update.value.intentId)
    return Option.some({ ...current, state: mergeIntentStates(current.state, stateOfType(event.type)) })
  })

  return Effect.fnUntraced(function* (listed: StripeClient.Event): Effect.fn.Return<SweptPage["differences"]> {
    const { id } = listed
    const reported = (what: string) => [{ action: "REPORTED" as const, what, id, organizationId: null }]
    const event = decodeEvent(listed)
    if (Option.isNone(event)) return reported("An event of Stripe cannot be read")
    const owner = yield* owners.find(event.value, intentUpdateOf(event.value))
    if (!owner.isOwn) return []
    const update = yield* Effect.option(updateOf(event.value))
    if (Option.isNone(update)) return reported("Stripe does not show the intent of an event")
    const catchUp = events.catchUp(event.value, update.value)
    const result = yield* owner.organizationId === undefined ? catchUp : modes.workFor(owner.organizationId, catchUp)
    // An event that concerns no payment is stored, and is no difference.
    if (result === "KNOWN" || Option.isNone(update.value)) return []
    const { organizationId = null } = update.value.value
    const action = result === "STUCK" ? "REPORTED" : "REPAIRED"
    return [{ action, what: differences[result], id, organizationId }]
  })
})
