import { declineOfSaving, link } from "./attachMethod.ts"
import { type Call, putWithEvent } from "./Call.ts"
import { newId } from "./ids.ts"
import { awaitingCustomer } from "./intents.ts"
import type { PaymentMethod, Reason, SetupIntent } from "./objects.ts"
import { testCardOf } from "./PaymentMethod.ts"
import { Refusal } from "./Refusal.ts"

/** Stores that a setup failed, and returns the refusal. */
export const failSetup = (call: Call, intent: SetupIntent, method: PaymentMethod, reason: Reason): Refusal => {
  const error = { ...reason, payment_method: method }
  const failed = putWithEvent(call, "setup_intent", "setup_intent.setup_failed", {
    ...intent,
    last_setup_error: error,
    latest_attempt: newId("setatt"),
    next_action: null,
    payment_method: null,
    status: "requires_payment_method"
  })
  return new Refusal(reason.type === "card_error" ? 402 : 400, { ...error, setup_intent: failed })
}

/** Saves a payment method that needs no consent, or has it. */
export const completeSetup = (call: Call, intent: SetupIntent, method: PaymentMethod): SetupIntent | Refusal => {
  const decline = declineOfSaving(method)
  if (decline !== undefined) return failSetup(call, intent, method, { type: "card_error", ...decline })
  if (intent.customer !== null) link(call, method, intent.customer)
  return putWithEvent(call, "setup_intent", "setup_intent.succeeded", {
    ...intent,
    last_setup_error: null,
    latest_attempt: newId("setatt"),
    next_action: null,
    payment_method: method.id,
    status: "succeeded"
  })
}

/** Saves a payment method, or waits for its customer's consent. */
export const attemptSetup = (call: Call, intent: SetupIntent, method: PaymentMethod, returnUrl: string | null) => {
  const authentication = testCardOf(method)?.authentication
  if (method.type === "card" && (authentication === undefined || authentication === "on session")) {
    return completeSetup(call, intent, method)
  }
  return putWithEvent(call, "setup_intent", "setup_intent.requires_action", {
    ...intent,
    ...awaitingCustomer(call.url, intent.id, method.id, returnUrl)
  })
}
