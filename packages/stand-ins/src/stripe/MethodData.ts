import { Schema } from "effect"
import type { Call } from "./Call.ts"
import { methodTypes, type PaymentMethod } from "./objects.ts"
import { cardOf, methodNamed, newMethod, validCardOf } from "./PaymentMethod.ts"
import {
  address,
  clearable,
  definedFields,
  integer,
  metadata,
  metadataAfter,
  optional,
  text,
  wholeAddress
} from "./params.ts"
import { invalid, Refusal } from "./Refusal.ts"
import { cardNumbered } from "./testCards.ts"
import { cardOfToken } from "./tokens.ts"

export const Billing = Schema.Struct({
  address: optional(address),
  email: optional(clearable),
  name: optional(clearable),
  phone: optional(clearable)
})

const Card = Schema.Struct({
  number: optional(text),
  exp_month: optional(integer),
  exp_year: optional(integer),
  cvc: optional(text),
  token: optional(text)
})

/** The parameters of a new payment method. */
export const MethodData = Schema.Struct({
  type: Schema.Literals(methodTypes),
  card: optional(Card),
  klarna: optional(Schema.Struct({})),
  affirm: optional(Schema.Struct({})),
  afterpay_clearpay: optional(Schema.Struct({})),
  billing_details: optional(Billing),
  metadata: optional(metadata),
  allow_redisplay: optional(text)
})

/** Returns the billing details of a request. */
export const billingOf = (billing: typeof Billing.Type | undefined) =>
  billing && definedFields({ ...billing, address: billing.address && wholeAddress(billing.address) })

const cardRefused = (code: string, message: string, param: string) =>
  new Refusal(402, { type: "card_error", code, message, param })

const cardFrom = ({ now }: Call, { exp_month, exp_year, number, token }: typeof Card.Type) => {
  if (token !== undefined) {
    const named = cardOfToken(token)
    if (named === undefined)
      throw invalid(`No such token: '${token}'`, { code: "resource_missing", param: "card[token]" })
    return validCardOf(named, now)
  }
  if (number === undefined || exp_month === undefined || exp_year === undefined) {
    const missing = number === undefined ? "number" : exp_month === undefined ? "exp_month" : "exp_year"
    throw invalid(`Missing required param: card[${missing}].`, { code: "parameter_missing", param: `card[${missing}]` })
  }
  const card = cardNumbered(number.replace(/[\s-]/g, ""))
  if (card === undefined) throw cardRefused("incorrect_number", "This is no card for tests.", "number")
  if (exp_month < 1 || exp_month > 12) throw cardRefused("invalid_expiry_month", "No year has this month.", "exp_month")
  const year = exp_year < 100 ? 2000 + exp_year : exp_year
  if (Date.UTC(year, exp_month) <= now * 1000)
    throw cardRefused("invalid_expiry_year", "The card has expired.", "exp_year")
  return cardOf(card, exp_month, year)
}

/** Makes a payment method from the parameters of a request. */
export const makeMethod = (
  call: Call,
  { billing_details, card, metadata, type }: typeof MethodData.Type
): PaymentMethod => {
  const details = type === "card" ? { type, card: cardFrom(call, card ?? {}) } : { type, [type]: {} }
  return newMethod(call, details, billingOf(billing_details), metadataAfter({}, metadata))
}

/** Returns the payment method that a request names or makes, if any. */
export const methodOf = (
  call: Call,
  params: { readonly payment_method?: string; readonly payment_method_data?: typeof MethodData.Type }
): PaymentMethod | undefined => {
  if (params.payment_method_data !== undefined) return makeMethod(call, params.payment_method_data)
  return params.payment_method === undefined ? undefined : methodNamed(call, params.payment_method)
}
