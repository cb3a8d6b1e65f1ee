import { Schema } from "effect"
import { type Call, emit, nowOf } from "./Call.ts"
import { customerNamed } from "./Customer.ts"
import { cancelPayment } from "./cancelPayment.ts"
import { capturePayment } from "./capturePayment.ts"
import { confirmPayment, isOpen, methodOf } from "./confirmPayment.ts"
import { checkAmount, currencyOf } from "./currencies.ts"
import { newId, newSecret } from "./ids.ts"
import { methodTypeParams, methodTypesOf } from "./methodTypesOf.ts"
import { fixedOfPayments, type PaymentIntent, paymentAt, putPayment, unexpectedPayment } from "./PaymentIntent.ts"
import { methodTypes } from "./PaymentMethod.ts"
import { isCreatedWhen, pageOf } from "./pageOf.ts"
import { clearable, created, flag, given, integer, metadata, metadataAfter, page, shipping, text } from "./params.ts"
import { checkTypes, isForCurrency, isLent } from "./payLater.ts"
import { MethodData } from "./paymentMethods.ts"
import { invalid, type Refusal } from "./Refusal.ts"
import { route } from "./route.ts"

const key = Schema.optionalKey

const forLater = key(Schema.Literals(["", "off_session", "on_session"]))
const captures = key(Schema.Literals(["automatic", "automatic_async", "manual"]))

const both = {
  payment_method: key(text),
  payment_method_data: key(MethodData),
  payment_method_options: key(
    Schema.Struct(Object.fromEntries(methodTypes.map((type) => [type, key(Schema.Unknown)])))
  ),
  payment_method_types: methodTypeParams.payment_method_types,
  capture_method: captures,
  receipt_email: key(clearable),
  setup_future_usage: forLater,
  shipping: key(Schema.Union([Schema.Literal(""), shipping]))
}

const described = {
  customer: key(clearable),
  description: key(clearable),
  metadata: key(metadata),
  statement_descriptor: key(clearable),
  statement_descriptor_suffix: key(clearable)
}

const confirming = {
  error_on_requires_action: key(flag),
  mandate_data: key(Schema.Unknown),
  off_session: key(flag),
  return_url: key(text),
  use_stripe_sdk: key(flag)
}

const New = Schema.Struct({
  ...both,
  ...described,
  ...confirming,
  automatic_payment_methods: methodTypeParams.automatic_payment_methods,
  amount: integer,
  currency: text,
  confirm: key(flag),
  confirmation_method: key(Schema.Literals(["automatic", "manual"]))
})

const Changes = Schema.Struct({ ...both, ...described, amount: key(integer), currency: key(text) })
const Confirmation = Schema.Struct({ ...both, ...confirming, client_secret: key(text) })

type Changing = Omit<typeof Changes.Type, "payment_method_data">

// What stays a change when an intent is past its confirmation.
const always = new Set(["description", "metadata", "receipt_email"])

const changed = (call: Call, before: PaymentIntent, asked: Changing): PaymentIntent => {
  const {
    customer,
    currency,
    metadata,
    payment_method,
    payment_method_options,
    setup_future_usage,
    shipping,
    ...rest
  } = asked
  return {
    ...before,
    ...given(rest),
    ...(currency !== undefined && { currency: currencyOf(currency) }),
    ...(customer !== undefined && { customer: customerNamed(call, customer) }),
    ...(setup_future_usage !== undefined && {
      setup_future_usage: setup_future_usage === "" ? null : setup_future_usage
    }),
    ...(shipping !== undefined && { shipping: shipping === "" ? null : shipping }),
    metadata: metadataAfter(before.metadata, metadata)
  }
}

const create = (call: Call, asked: typeof New.Type): PaymentIntent | Refusal => {
  const { amount, automatic_payment_methods, confirm, confirmation_method, ...rest } = asked
  const { error_on_requires_action, mandate_data, off_session, return_url, use_stripe_sdk, ...changes } = rest
  if (off_session === true && confirm !== true) {
    throw invalid("off_session goes with confirm only.", { param: "off_session" })
  }
  const currency = currencyOf(asked.currency)
  checkAmount(amount, currency)
  checkTypes(asked.payment_method_types ?? [], amount, currency)
  const { payment_method_data, payment_method_types, ...members } = changes
  const method = methodOf(call, asked)
  const id = newId("pi")
  const intent = changed(
    call,
    {
      ...fixedOfPayments,
      ...methodTypesOf(
        given({ automatic_payment_methods, payment_method_types }),
        methodTypes.filter((type) => isForCurrency(type, currency) && isLent(type, amount))
      ),
      id,
      amount,
      amount_capturable: 0,
      amount_received: 0,
      canceled_at: null,
      cancellation_reason: null,
      capture_method: "automatic_async",
      client_secret: newSecret(id),
      confirmation_method: confirmation_method ?? "automatic",
      created: nowOf(call, asked.customer ?? null),
      currency,
      customer: null,
      description: null,
      last_payment_error: null,
      latest_charge: null,
      metadata: {},
      next_action: null,
      payment_method: method?.id ?? null,
      payment_method_options: {
        card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" }
      },
      receipt_email: null,
      setup_future_usage: null,
      shipping: null,
      statement_descriptor: null,
      statement_descriptor_suffix: null,
      status: method === undefined ? "requires_payment_method" : "requires_confirmation"
    },
    members
  )
  putPayment(call, intent)
  emit(call, "payment_intent.created", intent)
  if (confirm !== true) return intent
  return confirmPayment(call, intent, given({ error_on_requires_action, off_session, return_url }))
}

const update = (call: Call, { payment_method_data, ...asked }: typeof Changes.Type, id: string): PaymentIntent => {
  const before = paymentAt(call, id)
  if (!isOpen(before) && Object.keys(asked).some((name) => !always.has(name)))
    throw unexpectedPayment(before, "updated")
  const method = methodOf(call, given({ payment_method: asked.payment_method, payment_method_data }))
  const after = changed(call, before, asked)
  checkAmount(after.amount, after.currency)
  checkTypes(asked.payment_method_types ?? [], after.amount, after.currency)
  return putPayment(
    call,
    method === undefined
      ? after
      : { ...after, next_action: null, payment_method: method.id, status: "requires_confirmation" }
  )
}

const confirm = (call: Call, asked: typeof Confirmation.Type, id: string): PaymentIntent | Refusal => {
  const before = paymentAt(call, id)
  if (!isOpen(before)) throw unexpectedPayment(before, "confirmed")
  const { client_secret, error_on_requires_action, mandate_data, off_session, return_url, use_stripe_sdk, ...rest } =
    asked
  const { payment_method, payment_method_data, ...changes } = rest
  return confirmPayment(call, changed(call, before, changes), asked)
}

const Listed = Schema.Struct({ ...page, created: key(created), customer: key(text) })

const listed = ({ books }: Call, { customer, ...asked }: typeof Listed.Type) =>
  pageOf(
    "/v1/payment_intents",
    books
      .all("payment_intent")
      .filter((one) => isCreatedWhen(asked.created, one) && (customer === undefined || one.customer === customer)),
    asked
  )

const Capture = Schema.Struct({
  amount_to_capture: key(integer),
  final_capture: key(flag),
  metadata: key(metadata),
  statement_descriptor: key(clearable),
  statement_descriptor_suffix: key(clearable)
})

const Cancellation = Schema.Struct({
  cancellation_reason: key(Schema.Literals(["abandoned", "duplicate", "fraudulent", "requested_by_customer"]))
})

/** Payment intents: what a customer is to pay, and how that goes on. */
export const paymentIntentRoutes = [
  route("POST", "/v1/payment_intents", New, create),
  route("GET", "/v1/payment_intents", Listed, listed),
  route("GET", "/v1/payment_intents/:id", Schema.Struct({ client_secret: key(text) }), (call, _, id) =>
    paymentAt(call, id)
  ),
  route("POST", "/v1/payment_intents/:id", Changes, update),
  route("POST", "/v1/payment_intents/:id/confirm", Confirmation, confirm),
  route("POST", "/v1/payment_intents/:id/capture", Capture, (call, asked, id) =>
    capturePayment(call, paymentAt(call, id), asked.amount_to_capture, asked.metadata)
  ),
  route("POST", "/v1/payment_intents/:id/cancel", Cancellation, (call, { cancellation_reason }, id) =>
    cancelPayment(call, paymentAt(call, id), cancellation_reason ?? null)
  )
]
