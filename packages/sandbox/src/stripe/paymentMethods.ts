import { Schema } from "effect"
import { type Call, emit } from "./Call.ts"
import { customerAt, customerNamed } from "./Customer.ts"
import {
  attach,
  cardOf,
  goodYear,
  methodAt,
  methodNamed,
  methodTypes,
  newMethod,
  type PaymentMethod
} from "./PaymentMethod.ts"
import { pageOf } from "./pageOf.ts"
import { address, clearable, given, integer, metadata, metadataAfter, page, text, wholeAddress } from "./params.ts"
import { invalid, Refusal } from "./Refusal.ts"
import { route } from "./route.ts"
import { cardNamed, cardNumbered } from "./testCards.ts"

const key = Schema.optionalKey

const Billing = Schema.Struct({
  address: key(address),
  email: key(clearable),
  name: key(clearable),
  phone: key(clearable)
})

const Card = Schema.Struct({
  number: key(text),
  exp_month: key(integer),
  exp_year: key(integer),
  cvc: key(text),
  token: key(text)
})

/** What a method is made of. */
export const MethodData = Schema.Struct({
  type: Schema.Literals(methodTypes),
  card: key(Card),
  klarna: key(Schema.Struct({})),
  affirm: key(Schema.Struct({})),
  afterpay_clearpay: key(Schema.Struct({})),
  billing_details: key(Billing),
  metadata: key(metadata),
  allow_redisplay: key(text)
})

const billingOf = (billing: typeof Billing.Type | undefined) =>
  billing && given({ ...billing, address: billing.address && wholeAddress(billing.address) })

const cardRefused = (code: string, message: string, param: string) =>
  new Refusal(402, { type: "card_error", code, message, param })

const cardFrom = ({ now }: Call, { exp_month, exp_year, number, token }: typeof Card.Type) => {
  if (token !== undefined) {
    const named = token.startsWith("tok_") ? cardNamed(token.slice("tok_".length)) : undefined
    if (named === undefined)
      throw invalid(`No such token: '${token}'`, { code: "resource_missing", param: "card[token]" })
    return cardOf(named, 12, goodYear(now))
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

const makeMethod = (call: Call, { billing_details, card, metadata, type }: typeof MethodData.Type): PaymentMethod => {
  const own = type === "card" ? { type, card: cardFrom(call, card ?? {}) } : { type, [type]: {} }
  return newMethod(call, own, billingOf(billing_details), metadataAfter({}, metadata))
}

/** The method that a request names or makes, if it does. */
export const methodOf = (
  call: Call,
  given: { readonly payment_method?: string; readonly payment_method_data?: typeof MethodData.Type }
): PaymentMethod | undefined => {
  if (given.payment_method_data !== undefined) return makeMethod(call, given.payment_method_data)
  return given.payment_method === undefined ? undefined : methodNamed(call, given.payment_method)
}

const Changes = Schema.Struct({
  billing_details: key(Billing),
  metadata: key(metadata),
  card: key(Schema.Struct({ exp_month: key(integer), exp_year: key(integer) }))
})

const update = (call: Call, { billing_details, card, metadata }: typeof Changes.Type, id: string): PaymentMethod => {
  const before = methodAt(call, id)
  const after = call.books.put("payment_method", before.id, {
    ...before,
    billing_details: { ...before.billing_details, ...billingOf(billing_details) },
    ...(before.card && { card: { ...before.card, ...card } }),
    metadata: metadataAfter(before.metadata, metadata)
  })
  emit(call, "payment_method.updated", after, before)
  return after
}

const detach = (call: Call, id: string): PaymentMethod => {
  const before = methodAt(call, id)
  if (before.customer === null) throw invalid("The payment method is attached to no customer.")
  const after = call.books.put("payment_method", before.id, { ...before, customer: null })
  emit(call, "payment_method.detached", after, before)
  return after
}

const Listed = Schema.Struct({ ...page, customer: key(text), type: key(Schema.Literals(methodTypes)) })

const listed = ({ books }: Call, { customer, type, ...asked }: typeof Listed.Type, url = "/v1/payment_methods") =>
  pageOf(
    url,
    books
      .all("payment_method")
      .filter((one) => one.customer !== null && one.customer === customer && (type === undefined || one.type === type)),
    asked
  )

/** Payment methods: cards, and the types that are paid later. */
export const paymentMethodRoutes = [
  route("POST", "/v1/payment_methods", MethodData, makeMethod),
  route("GET", "/v1/payment_methods", Listed, (call, asked) => {
    customerNamed(call, asked.customer)
    return listed(call, asked)
  }),
  route("GET", "/v1/payment_methods/:id", Schema.Struct({}), (call, _, id) => methodAt(call, id)),
  route("POST", "/v1/payment_methods/:id", Changes, update),
  route("POST", "/v1/payment_methods/:id/attach", Schema.Struct({ customer: text }), (call, { customer }, id) => {
    customerNamed(call, customer)
    return attach(call, methodAt(call, id), customer)
  }),
  route("POST", "/v1/payment_methods/:id/detach", Schema.Struct({}), (call, _, id) => detach(call, id)),
  route(
    "GET",
    "/v1/customers/:id/payment_methods",
    Schema.Struct({ ...page, type: key(Schema.Literals(methodTypes)) }),
    (call, asked, id) =>
      listed(call, { ...asked, customer: customerAt(call, id).id }, `/v1/customers/${id}/payment_methods`)
  )
]
