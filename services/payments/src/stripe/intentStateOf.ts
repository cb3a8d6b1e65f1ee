import { OrganizationId, UserId } from "@care/domain/ids"
import { Option, Schema } from "effect"
import type { IntentUpdate } from "./IntentState.ts"
import { type DisputeState, emptyIntentState, type IntentState, mergeIntentStates } from "./IntentState.ts"
import type { StripeCharge, StripeDispute, StripeIntent, StripeRefund } from "./stripeObjects.ts"

const decodeOrganizationId = Schema.decodeUnknownOption(OrganizationId)

/** Whose something of the gateway is, as we wrote into it when we made it. */
export const organizationIn = ({ metadata }: Pick<StripeIntent, "metadata">): OrganizationId | undefined =>
  Option.getOrUndefined(decodeOrganizationId(metadata?.["organizationId"]))

const decodeUserId = Schema.decodeUnknownOption(UserId)

/** The patient of whom something of the gateway is, as we wrote into it when we knew. */
export const patientIn = ({ metadata }: Pick<StripeIntent, "metadata">): UserId | undefined =>
  Option.getOrUndefined(decodeUserId(metadata?.["userId"]))

/** What a payment intent says of itself, as of a time in seconds since 1970. */
export const stateOfIntent = (intent: StripeIntent, asOf: number): IntentUpdate => {
  const { amount, currency, status } = intent
  const isKnown = typeof amount === "number" && typeof currency === "string"
  return {
    intentId: intent.id,
    organizationId: organizationIn(intent),
    state: {
      ...emptyIntentState,
      worth: isKnown ? { units: amount, currency: currency.toUpperCase(), asOf } : null,
      isAuthorized: status === "requires_capture",
      isPaid: status === "succeeded",
      isCanceled: status === "canceled",
      received: intent.amount_received ?? 0
    }
  }
}

const updateOfIntent = (
  { payment_intent: intent }: Pick<StripeCharge, "payment_intent">,
  organizationId: OrganizationId | undefined,
  state: Partial<IntentState>
): IntentUpdate | undefined => {
  if (intent === null || intent === undefined) return undefined
  const intentId = typeof intent === "string" ? intent : intent.id
  return { intentId, organizationId, state: { ...emptyIntentState, ...state } }
}

/** What a charge says of the intent that it was made for; undefined of one that was made for none, or has come to nothing yet. */
export const stateOfCharge = (charge: StripeCharge): IntentUpdate | undefined => {
  if (charge.status === "pending" || charge.status === "failed") return undefined
  // What was never taken is not given back: the authorization ended.
  const state =
    charge.captured === false
      ? {
          isCanceled: charge.refunded === true,
          heldUntil: charge.payment_method_details?.card?.capture_before ?? null
        }
      : { isPaid: true, received: charge.amount_captured ?? 0, refunded: charge.amount_refunded ?? 0 }
  return updateOfIntent(charge, organizationIn(charge), state)
}

/** Both of an intent, if there is more. */
export const withState = (update: IntentUpdate, more: IntentUpdate | undefined): IntentUpdate =>
  more === undefined ? update : { ...update, state: mergeIntentStates(update.state, more.state) }

interface WithCharge extends StripeIntent {
  readonly latest_charge: string | StripeCharge | null
}

/** The same of an intent that was asked for with its charge, which says what was given back, and until when it is held. */
export const stateOfChargedIntent = (intent: WithCharge, asOf: number): IntentUpdate => {
  const { latest_charge: charge } = intent
  const charged = typeof charge === "string" || charge === null ? undefined : stateOfCharge(charge)
  return withState(stateOfIntent(intent, asOf), charged)
}

/** Whether what was given back came back, or did not go out. */
export const isFailedRefund = ({ status }: Pick<StripeRefund, "status">): boolean =>
  status === "failed" || status === "canceled"

/** What a refund says of its intent. */
export const stateOfRefund = (refund: StripeRefund): IntentUpdate | undefined =>
  updateOfIntent(refund, undefined, {
    refunds: { [refund.id]: { units: refund.amount ?? 0, isFailed: isFailedRefund(refund) } }
  })

const over = new Map<string, DisputeState>([
  ["lost", "LOST"],
  ["won", "WON"],
  ["prevented", "WON"]
])

const disputeStateOf = ({ status }: StripeDispute): DisputeState =>
  status?.startsWith("warning_") ? "INQUIRY" : (over.get(status ?? "") ?? "OPEN")

/** What a dispute says of its intent, as of a time in seconds since 1970: whoever disputes it has paid it. */
export const stateOfDispute = (dispute: StripeDispute, asOf: number): IntentUpdate | undefined => {
  const state = disputeStateOf(dispute)
  // Money stays where it is while the bank only asks.
  return updateOfIntent(dispute, undefined, {
    isPaid: state !== "INQUIRY",
    disputes: { [dispute.id]: { state, asOf } }
  })
}
