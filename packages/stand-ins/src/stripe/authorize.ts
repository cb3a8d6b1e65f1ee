import { charge, failPayment } from "./attempt.ts"
import { completeSetup, failSetup } from "./attemptSetup.ts"
import { type Call, putWithEvent } from "./Call.ts"
import type { PaymentIntent, Reason, SetupIntent } from "./objects.ts"
import { methodNamed } from "./PaymentMethod.ts"
import { unexpectedStatus } from "./Refusal.ts"

const refusedBy = (code: string): Reason => ({
  type: "invalid_request_error",
  code,
  message: "The customer did not agree to it. Give another payment method, or try again."
})

const payment = (call: Call, intent: PaymentIntent, agrees: boolean): PaymentIntent => {
  const isWaiting = intent.status === "requires_action" || intent.status === "processing"
  if (!isWaiting || intent.payment_method === null) throw unexpectedStatus(intent, "authorized")
  const method = methodNamed(call, intent.payment_method)
  const isCard = method.type === "card"
  const code = isCard ? "payment_intent_authentication_failure" : "payment_method_customer_decline"
  if (agrees) charge(call, intent, method)
  else failPayment(call, intent, method, refusedBy(code))
  return call.ledger.at("payment_intent", intent.id)
}

const setup = (call: Call, intent: SetupIntent, agrees: boolean): SetupIntent => {
  if (intent.status !== "requires_action" || intent.payment_method === null) {
    throw unexpectedStatus(intent, "authorized")
  }
  const method = methodNamed(call, intent.payment_method)
  if (agrees) completeSetup(call, intent, method)
  else failSetup(call, intent, method, refusedBy("setup_intent_authentication_failure"))
  return call.ledger.at("setup_intent", intent.id)
}

/** Marks a payment as processing: the customer agreed, and the lender has not decided. `authorize` ends it. */
export const beginProcessing = (call: Call, id: string): PaymentIntent => {
  const intent = call.ledger.at("payment_intent", id)
  if (intent.status !== "requires_action") throw unexpectedStatus(intent, "processed")
  return putWithEvent(call, "payment_intent", "payment_intent.processing", {
    ...intent,
    next_action: null,
    status: "processing"
  })
}

/** Applies a customer's decision about an intent that waits for it, and returns the intent. */
export const authorize = (call: Call, id: string, agrees: boolean): PaymentIntent | SetupIntent =>
  id.startsWith("seti_")
    ? setup(call, call.ledger.at("setup_intent", id), agrees)
    : payment(call, call.ledger.at("payment_intent", id), agrees)
