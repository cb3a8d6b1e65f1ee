import { OrganizationId, UserId } from "@care/domain/ids"
import { Option, Schema } from "effect"
import type { IntentUpdate } from "./IntentState.ts"
import { type DisputeState, emptyIntentState, type IntentState, mergeIntentStates } from "./IntentState.ts"
import type { StripeCharge, StripeDispute, StripeIntent, StripeRefund } from "./stripeObjects.ts"

const decodeOrganizationId = Schema.decodeUnknownOption(OrganizationId)

/** Returns the organization in the metadata of an object of the gateway. */
export const organizationIn = ({ metadata }: Pick<StripeIntent, "metadata">): OrganizationId | undefined =>
  Option.getOrUndefined(decodeOrganizationId(metadata?.["organizationId"]))

const decodeUserId = Schema.decodeUnknownOption(UserId)

/** Returns the patient in the metadata of an object of the gateway. */
export const patientIn = ({ metadata }: Pick<StripeIntent, "metadata">): UserId | undefined =>
  Option.getOrUndefined(decodeUserId(metadata?.["userId"]))

/** Returns the state of a payment intent, as of a time in seconds since 1970. */
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

/** Returns what a charge says of its intent; undefined if it has no intent, or is pending or failed. */
export const stateOfCharge = (charge: StripeCharge): IntentUpdate | undefined => {
  if (charge.status === "pending" || charge.status === "failed") return undefined
  // Without a capture, a refund means that the authorization has ended.
  const state =
    charge.captured === false
      ? {
          isCanceled: charge.refunded === true,
          heldUntil: charge.payment_method_details?.card?.capture_before ?? null
        }
      : { isPaid: true, received: charge.amount_captured ?? 0, refunded: charge.amount_refunded ?? 0 }
  return updateOfIntent(charge, organizationIn(charge), state)
}

/** Merges a further update of the same intent, if there is one. */
export const withState = (update: IntentUpdate, further: IntentUpdate | undefined): IntentUpdate =>
  further === undefined ? update : { ...update, state: mergeIntentStates(update.state, further.state) }

interface WithCharge extends StripeIntent {
  readonly latest_charge: string | StripeCharge | null
}

/** Returns the state of an intent with its expanded charge, which has the refunds and the expiry of the authorization. */
export const stateOfChargedIntent = (intent: WithCharge, asOf: number): IntentUpdate => {
  const { latest_charge: charge } = intent
  const ofCharge = typeof charge === "string" || charge === null ? undefined : stateOfCharge(charge)
  return withState(stateOfIntent(intent, asOf), ofCharge)
}

/** Returns whether a refund failed or was canceled, so that the money came back or was never sent. */
export const isFailedRefund = ({ status }: Pick<StripeRefund, "status">): boolean =>
  status === "failed" || status === "canceled"

/** Returns what a refund says of its intent. */
export const stateOfRefund = (refund: StripeRefund): IntentUpdate | undefined =>
  updateOfIntent(refund, undefined, {
    refunds: { [refund.id]: { units: refund.amount ?? 0, isFailed: isFailedRefund(refund) } }
  })

const closedStates = new Map<string, DisputeState>([
  ["lost", "LOST"],
  ["won", "WON"],
  ["prevented", "WON"]
])

const disputeStateOf = ({ status }: StripeDispute): DisputeState =>
  status?.startsWith("warning_") ? "INQUIRY" : (closedStates.get(status ?? "") ?? "OPEN")

/** Returns what a dispute says of its intent, as of a time in seconds since 1970. A disputed intent was paid. */
export const stateOfDispute = (dispute: StripeDispute, asOf: number): IntentUpdate | undefined => {
  const state = disputeStateOf(dispute)
  // An inquiry of the bank moves no money, and does not imply a payment.
  return updateOfIntent(dispute, undefined, {
    isPaid: state !== "INQUIRY",
    disputes: { [dispute.id]: { state, asOf } }
  })
}
