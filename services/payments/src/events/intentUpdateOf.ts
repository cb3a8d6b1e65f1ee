import type { GatewayEvent } from "@care/domain/payments"
import { Option, Schema } from "effect"
import {
  emptyIntentState,
  type IntentState,
  type IntentUpdate,
  StripeCharge,
  StripeDispute,
  StripeIntent,
  StripeRefund,
  stateOfCharge,
  stateOfDispute,
  stateOfIntent,
  stateOfRefund
} from "../stripe/index.ts"

const decodeIntent = Schema.decodeUnknownOption(StripeIntent)
const decodeCharge = Schema.decodeUnknownOption(StripeCharge)
const decodeRefund = Schema.decodeUnknownOption(StripeRefund)
const decodeDispute = Schema.decodeUnknownOption(StripeDispute)

const withState = ({ state, ...update }: IntentUpdate, more: Partial<IntentState>): IntentUpdate => ({
  ...update,
  state: { ...state, ...more }
})

// What happened is what the event's type says, whatever the object has become by the time that it is told.
const happened = new Map<string, Partial<IntentState>>([
  ["payment_intent.succeeded", { isPaid: true }],
  ["payment_intent.payment_failed", { isFailed: true }],
  ["payment_intent.canceled", { isCanceled: true }],
  ["payment_intent.amount_capturable_updated", { isAuthorized: true }]
])

/** What the type of an event alone says, in whatever version of the gateway's API its object is written. */
export const stateOfType = (type: string): IntentState => ({ ...emptyIntentState, ...happened.get(type) })

/** What an event says of a payment intent; none of an event that concerns no payment. */
export const intentUpdateOf = ({ created = 0, data: { object }, type }: GatewayEvent): Option.Option<IntentUpdate> => {
  if (type.startsWith("payment_intent.")) {
    return Option.map(decodeIntent(object), (intent) =>
      withState(stateOfIntent(intent, created), happened.get(type) ?? {})
    )
  }
  if (type === "charge.refunded" || type === "charge.succeeded") {
    // That one was taken its intent tells; until when one is held, only the charge.
    const charge = Option.filter(
      decodeCharge(object),
      ({ captured }) => type === "charge.refunded" || captured === false
    )
    return Option.flatMap(charge, (told) => Option.fromUndefinedOr(stateOfCharge(told)))
  }
  if (type.startsWith("charge.dispute.")) {
    return Option.flatMap(decodeDispute(object), (dispute) => Option.fromUndefinedOr(stateOfDispute(dispute, created)))
  }
  if (type.startsWith("refund.") || type === "charge.refund.updated") {
    return Option.flatMap(decodeRefund(object), (refund) => Option.fromUndefinedOr(stateOfRefund(refund)))
  }
  return Option.none()
}
