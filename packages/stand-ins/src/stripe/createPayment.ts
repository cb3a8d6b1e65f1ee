import { type Call, nowOf, putWithEvent } from "./Call.ts"
import { changed } from "./changePayment.ts"
import { confirmPayment } from "./confirmPayment.ts"
import { paymentIntentConstants } from "./constantFields.ts"
import { newId, newSecret } from "./ids.ts"
import { methodOf } from "./MethodData.ts"
import { allowedTypesOf } from "./methodTypesOf.ts"
import type { PaymentIntent } from "./objects.ts"
import type { NewPayment } from "./paymentParams.ts"
import { invalid, type Refusal } from "./Refusal.ts"

const newPayment = (amount: number, currency: string, created: number): PaymentIntent => {
  const id = newId("pi")
  return {
    ...paymentIntentConstants,
    ...allowedTypesOf({}),
    id,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: newSecret(id),
    created,
    currency,
    customer: null,
    description: null,
    last_payment_error: null,
    latest_charge: null,
    metadata: {},
    next_action: null,
    payment_method: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" }
    },
    payment_method_types: [],
    receipt_email: null,
    setup_future_usage: null,
    shipping: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method"
  }
}

/** Creates a payment intent, and confirms it if the request asks for that. */
export const createPayment = (call: Call, params: typeof NewPayment.Type): PaymentIntent | Refusal => {
  const { amount, confirm, currency } = params
  if (params.off_session === true && confirm !== true) {
    throw invalid("off_session goes with confirm only.", { param: "off_session" })
  }
  const blank = newPayment(amount, currency, nowOf(call, params.customer ?? null))
  const intent = changed(call, { ...blank, ...allowedTypesOf(params) }, params)
  const method = methodOf(call, params)
  const created = putWithEvent(call, "payment_intent", "payment_intent.created", {
    ...intent,
    ...(method && { payment_method: method.id, status: "requires_confirmation" })
  })
  return confirm === true ? confirmPayment(call, created, method, params) : created
}
