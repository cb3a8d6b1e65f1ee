import { type Call, nowOf } from "./Call.ts"
import { chargeConstants } from "./constantFields.ts"
import { newId } from "./ids.ts"
import type { Charge, PaymentIntent, PaymentMethod } from "./objects.ts"
import type { Decline } from "./testCards.ts"

const day = 24 * 3600

// Each network decides how long it holds an amount; Visa holds it shorter when the customer is absent.
const holdSeconds = (brand: string, isOffSession: boolean): number =>
  brand === "visa" && isOffSession ? 4.75 * day : 7 * day

const detailsOf = ({ card, type }: PaymentMethod, intent: PaymentIntent, now: number, isOffSession: boolean) => {
  if (card === undefined) return { type, [type]: {} }
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4 } = card
  return {
    type,
    card: {
      amount_authorized: intent.amount,
      authorization_code: null,
      brand,
      ...(intent.capture_method === "manual" && { capture_before: now + holdSeconds(brand, isOffSession) }),
      checks,
      country,
      exp_month,
      exp_year,
      extended_authorization: { status: "disabled" },
      fingerprint,
      funding,
      incremental_authorization: { status: "unavailable" },
      installments: null,
      last4,
      mandate: null,
      multicapture: { status: "unavailable" },
      network: brand,
      network_token: { used: false },
      network_transaction_id: newId("nti"),
      overcapture: { maximum_amount_capturable: intent.amount, status: "unavailable" },
      regulated_status: "unregulated",
      three_d_secure: null,
      wallet: null
    }
  }
}

const outcomeOf = (decline: Decline | undefined) => ({
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: decline === undefined ? "approved_by_network" : "declined_by_network",
  reason: decline === undefined ? null : (decline.decline_code ?? decline.code),
  risk_level: "normal",
  risk_score: 20,
  seller_message: decline === undefined ? "Payment complete." : "The bank did not accept this payment.",
  type: decline === undefined ? "authorized" : "issuer_declined"
})

/** Makes a charge of an intent's amount: captured, held, or declined. */
export const newCharge = (
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  isOffSession: boolean,
  decline?: Decline
): Charge => {
  const id = newId("ch")
  const now = nowOf(call, intent.customer)
  const isPaid = decline === undefined
  const isCaptured = isPaid && intent.capture_method !== "manual"
  return {
    ...chargeConstants,
    id,
    amount: intent.amount,
    amount_captured: isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: method.billing_details,
    captured: isCaptured,
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    metadata: intent.metadata,
    outcome: outcomeOf(decline),
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method, intent, now, isOffSession),
    receipt_email: intent.receipt_email,
    receipt_url: isPaid ? `${call.url}/receipts/${id}` : null,
    refunded: false,
    shipping: intent.shipping,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: isPaid ? "succeeded" : "failed"
  }
}
