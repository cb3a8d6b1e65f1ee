import { OrganizationId } from "@care/domain/ids"
import { Option, Schema } from "effect"
import type StripeClient from "stripe"
import { type DisputeState, noFacts } from "../payments/IntentFacts.ts"
import type { IntentNews } from "../payments/Payments.ts"

const decodeOrganizationId = Schema.decodeUnknownOption(OrganizationId)

/** Whose something of the gateway is, as we wrote into it when we made it. */
export const organizationIn = ({ metadata }: { readonly metadata: StripeClient.Metadata | null }) =>
  metadata === null ? undefined : Option.getOrUndefined(decodeOrganizationId(metadata["organizationId"]))

const idOf = (reference: string | { readonly id: string } | null): string | undefined =>
  typeof reference === "string" ? reference : reference?.id

/** What a payment intent says of itself, as of a time in seconds since 1970. */
export const factsOfIntent = (intent: StripeClient.PaymentIntent, asOf: number): IntentNews => ({
  intentId: intent.id,
  organizationId: organizationIn(intent),
  facts: {
    ...noFacts,
    worth: { units: intent.amount, currency: intent.currency.toUpperCase(), asOf },
    isFailed: intent.status === "requires_payment_method" && intent.last_payment_error !== null,
    isAuthorized: intent.status === "requires_capture",
    isPaid: intent.status === "succeeded",
    isCanceled: intent.status === "canceled",
    received: intent.amount_received
  }
})

/** What a charge says of the intent that it was made for; undefined of one that was made for none. */
export const factsOfCharge = (charge: StripeClient.Charge): IntentNews | undefined => {
  const intentId = idOf(charge.payment_intent)
  if (intentId === undefined) return undefined
  // What was never taken is not given back: the authorization ended.
  const facts = charge.captured
    ? { isPaid: true, received: charge.amount_captured, refunded: charge.amount_refunded }
    : { isCanceled: charge.refunded }
  return { intentId, organizationId: organizationIn(charge), facts: { ...noFacts, ...facts } }
}

/** What a refund that came back says of its intent. */
export const factsOfFailedRefund = (refund: StripeClient.Refund): IntentNews | undefined => {
  const intentId = idOf(refund.payment_intent)
  if (intentId === undefined || refund.status !== "failed") return undefined
  return { intentId, organizationId: undefined, facts: { ...noFacts, failedRefunds: { [refund.id]: refund.amount } } }
}

const stateOf = ({ status }: StripeClient.Dispute): DisputeState => {
  if (status === "lost") return "LOST"
  return status === "won" || status === "warning_closed" || status === "prevented" ? "WON" : "OPEN"
}

/** What a dispute says of its intent: whoever disputes it has paid it. */
export const factsOfDispute = (dispute: StripeClient.Dispute): IntentNews | undefined => {
  const intentId = idOf(dispute.payment_intent)
  if (intentId === undefined) return undefined
  const facts = { ...noFacts, isPaid: true, disputes: { [dispute.id]: stateOf(dispute) } }
  return { intentId, organizationId: undefined, facts }
}
