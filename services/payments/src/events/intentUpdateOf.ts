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

const withChanges = ({ state, ...update }: IntentUpdate, changes: Partial<IntentState>): IntentUpdate => ({
  ...update,
  state: { ...state, ...changes }
})

// The type of an event says what happened, even if its object has changed since.
const impliedStates = new Map<string, Partial<IntentState>>([
  ["payment_intent.succeeded", { isPaid: true }],
  ["payment_intent.payment_failed", { isFailed: true }],
  ["payment_intent.canceled", { isCanceled: true }],
  ["payment_intent.amount_capturable_updated", { isAuthorized: true }]
])

/** Returns the state that an event's type implies, for events of any version of the gateway's API. */
export const stateOfType = (type: string): IntentState => ({ ...emptyIntentState, ...impliedStates.get(type) })

/** Returns the update of a payment intent by an event; none when the event concerns no payment. */
export const intentUpdateOf = ({ created = 0, data: { object }, type }: GatewayEvent): Option.Option<IntentUpdate> => {
  if (type.startsWith("payment_intent.")) {
    return Option.map(decodeIntent(object), (intent) =>
      withChanges(stateOfIntent(intent, created), impliedStates.get(type) ?? {})
    )
  }
  if (type === "charge.refunded" || type === "charge.succeeded") {
    // A capture is in the event of the intent; only the charge says until when an amount is held.
    const charge = Option.filter(
      decodeCharge(object),
      ({ captured }) => type === "charge.refunded" || captured === false
    )
    return Option.flatMap(charge, (accepted) => Option.fromUndefinedOr(stateOfCharge(accepted)))
  }
  if (type.startsWith("charge.dispute.")) {
    return Option.flatMap(decodeDispute(object), (dispute) => Option.fromUndefinedOr(stateOfDispute(dispute, created)))
  }
  if (type.startsWith("refund.") || type === "charge.refund.updated") {
    return Option.flatMap(decodeRefund(object), (refund) => Option.fromUndefinedOr(stateOfRefund(refund)))
  }
  return Option.none()
}
