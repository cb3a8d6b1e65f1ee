import { charge, failPayment } from "./attempt.ts"
import { completeSetup, failSetup } from "./attemptSetup.ts"
import { type Call, emit } from "./Call.ts"
import { type PaymentIntent, paymentAt, putPayment, unexpectedPayment } from "./PaymentIntent.ts"
import { methodNamed } from "./PaymentMethod.ts"
import type { Reason } from "./Refusal.ts"
import { type SetupIntent, setupAt, unexpectedSetup } from "./SetupIntent.ts"

const notAgreed = (code: string): Reason => ({
  type: "invalid_request_error",
  code,
  message: "The customer did not agree to it. Give another payment method, or try again."
})

const payment = (call: Call, intent: PaymentIntent, agrees: boolean): PaymentIntent => {
  const isAsked = intent.status === "requires_action" || intent.status === "processing"
  if (!isAsked || intent.payment_method === null) throw unexpectedPayment(intent, "authorized")
  const method = methodNamed(call, intent.payment_method)
  if (agrees) charge(call, intent, method)
  else {
    const isCard = method.type === "card"
    const code = isCard ? "payment_intent_authentication_failure" : "payment_method_customer_decline"
    failPayment(call, intent, method, notAgreed(code))
  }
  return paymentAt(call, intent.id)
}

const setup = (call: Call, intent: SetupIntent, agrees: boolean): SetupIntent => {
  if (intent.status !== "requires_action" || intent.payment_method === null) throw unexpectedSetup(intent, "authorized")
  const method = methodNamed(call, intent.payment_method)
  if (agrees) completeSetup(call, intent, method)
  else failSetup(call, intent, method, notAgreed("setup_intent_authentication_failure"))
  return setupAt(call, intent.id)
}

/** The customer agreed, and the lender takes its time: `authorize` says how that ends. */
export const beginProcessing = (call: Call, id: string): PaymentIntent => {
  const intent = paymentAt(call, id)
  if (intent.status !== "requires_action") throw unexpectedPayment(intent, "processed")
  const processing = putPayment(call, { ...intent, next_action: null, status: "processing" })
  emit(call, "payment_intent.processing", processing)
  return processing
}

/** The customer agrees to an intent that waits for them, or does not: the intent as it then is. */
export const authorize = (call: Call, id: string, agrees: boolean): PaymentIntent | SetupIntent =>
  id.startsWith("seti_") ? setup(call, setupAt(call, id), agrees) : payment(call, paymentAt(call, id), agrees)
