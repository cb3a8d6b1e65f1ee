import type { Call } from "./Call.ts"
import { newId } from "./ids.ts"
import { unknownObject, unknownParameter } from "./Refusal.ts"
import { cardNamed, cardWith, fingerprintOf, type TestCard } from "./testCards.ts"

/** Types whose payments their customer agrees to at the lender's. */
export const payLaterTypes = ["klarna", "affirm", "afterpay_clearpay"] as const

export const methodTypes = ["card", ...payLaterTypes] as const
export type MethodType = (typeof methodTypes)[number]

export interface BillingDetails {
  readonly address: object
  readonly email: string | null
  readonly name: string | null
  readonly phone: string | null
  readonly tax_id: null
}

interface Card {
  readonly brand: string
  readonly checks: object
  readonly country: string
  readonly display_brand: string
  readonly exp_month: number
  readonly exp_year: number
  readonly fingerprint: string
  readonly funding: "credit" | "debit" | "prepaid"
  readonly generated_from: null
  readonly last4: string
  readonly networks: object
  readonly regulated_status: string
  readonly three_d_secure_usage: object
  readonly wallet: null
}

export interface PaymentMethod {
  readonly id: string
  readonly object: "payment_method"
  readonly allow_redisplay: "unspecified"
  readonly billing_details: BillingDetails
  readonly card?: Card
  readonly klarna?: object
  readonly affirm?: object
  readonly afterpay_clearpay?: object
  readonly created: number
  readonly customer: string | null
  readonly customer_account: null
  readonly livemode: false
  readonly metadata: Readonly<Record<string, string>>
  readonly type: MethodType
}

/** What a method shows of its card. */
export const cardOf = (card: Pick<TestCard, "brand" | "funding" | "number">, month: number, year: number): Card => ({
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

const noBilling: BillingDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null
}

/** Makes a method of a type, with what is its type's own. */
export const newMethod = (
  call: Call,
  own: Pick<PaymentMethod, "type" | "card" | "klarna" | "affirm" | "afterpay_clearpay">,
  billing: Partial<BillingDetails> = {},
  metadata: Readonly<Record<string, string>> = {}
): PaymentMethod => {
  const id = newId("pm")
  return call.books.put("payment_method", id, {
    id,
    object: "payment_method",
    allow_redisplay: "unspecified",
    billing_details: { ...noBilling, ...billing },
    created: call.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata,
    ...own
  })
}

/** A year in which the cards of the documentation are good. */
export const goodYear = (now: number): number => new Date(now * 1000).getUTCFullYear() + 4

/** A method by its id; `pm_card_...` makes a new one of that card. */
const findMethod = (call: Call, id: string): PaymentMethod | undefined => {
  const known = call.books.get("payment_method", id)
  if (known !== undefined || !id.startsWith("pm_card_")) return known
  const card = cardNamed(id.slice("pm_card_".length))
  return card && newMethod(call, { type: "card", card: cardOf(card, 12, goodYear(call.now)) })
}

/** The method of a path. */
export const methodAt = (call: Call, id: string): PaymentMethod => {
  const method = findMethod(call, id)
  if (method === undefined) throw unknownObject("payment_method", id)
  return method
}

/** The method that parameters name. */
export const methodNamed = (call: Call, id: string): PaymentMethod => {
  const method = findMethod(call, id)
  if (method === undefined) throw unknownParameter("PaymentMethod", id, "payment_method")
  return method
}

/** What the documentation says of a method's card. */
export const testCardOf = ({ card }: PaymentMethod): TestCard | undefined => card && cardWith(card.fingerprint)
