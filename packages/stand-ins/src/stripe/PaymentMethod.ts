import type { Call } from "./Call.ts"
import { newId } from "./ids.ts"
import type { BillingDetails, Card, PaymentMethod } from "./objects.ts"
import { unknownObject, unknownParameter } from "./Refusal.ts"
import { cardNamed, cardWith, fingerprintOf, type TestCard } from "./testCards.ts"

/** Returns what a payment method shows of its card. */
export const cardOf = (card: TestCard, month: number, year: number): Card => ({
  brand: card.brand,
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: null },
  country: "US",
  display_brand: card.brand,
  exp_month: month,
  exp_year: year,
  fingerprint: fingerprintOf(card.number),
  funding: card.funding,
  generated_from: null,
  last4: card.number.slice(-4),
  networks: { available: [card.brand], preferred: null },
  regulated_status: "unregulated",
  three_d_secure_usage: { supported: true },
  wallet: null
})

/** Returns a card as it is without a stated expiry: valid for four more years. */
export const validCardOf = (card: TestCard, now: number): Card =>
  cardOf(card, 12, new Date(now * 1000).getUTCFullYear() + 4)

const noBilling: BillingDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null
}

/** Makes a payment method with the fields of its type. */
export const newMethod = (
  call: Call,
  details: Pick<PaymentMethod, "type" | "card" | "klarna" | "affirm" | "afterpay_clearpay">,
  billing: Partial<BillingDetails> = {},
  metadata: Readonly<Record<string, string>> = {}
): PaymentMethod => {
  const id = newId("pm")
  return call.ledger.put("payment_method", id, {
    id,
    object: "payment_method",
    allow_redisplay: "unspecified",
    billing_details: { ...noBilling, ...billing },
    created: call.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata,
    ...details
  })
}

// `pm_card_...` is no id: each use makes a new method of that card.
const findMethod = (call: Call, id: string): PaymentMethod | undefined => {
  const existing = call.ledger.get("payment_method", id)
  if (existing !== undefined || !id.startsWith("pm_card_")) return existing
  const card = cardNamed(id.slice("pm_card_".length))
  return card && newMethod(call, { type: "card", card: validCardOf(card, call.now) })
}

/** Returns the payment method that a path names. */
export const methodAt = (call: Call, id: string): PaymentMethod => {
  const method = findMethod(call, id)
  if (method === undefined) throw unknownObject("payment_method", id)
  return method
}

/** Returns the payment method that a parameter names. */
export const methodNamed = (call: Call, id: string): PaymentMethod => {
  const method = findMethod(call, id)
  if (method === undefined) throw unknownParameter("PaymentMethod", id, "payment_method")
  return method
}

/** Returns the test card of a payment method. */
export const testCardOf = ({ card }: PaymentMethod): TestCard | undefined => card && cardWith(card.fingerprint)
