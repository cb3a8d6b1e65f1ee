import { link } from "./attachMethod.ts"
import { type Call, emit } from "./Call.ts"
import { newId } from "./ids.ts"
import { nextActionOf } from "./NextAction.ts"
import { type PaymentMethod, testCardOf } from "./PaymentMethod.ts"
import { type Reason, Refusal } from "./Refusal.ts"
import { putSetup, type SetupIntent } from "./SetupIntent.ts"

/** The setup failed: that is kept, and said. */
export const failSetup = (call: Call, intent: SetupIntent, method: PaymentMethod, reason: Reason): Refusal => {
  const said = { ...reason, payment_method: method }
  const failed = putSetup(call, {
    ...intent,
    last_setup_error: said,
    latest_attempt: newId("setatt"),
    next_action: null,
    payment_method: null,
    status: "requires_payment_method"
  })
  emit(call, "setup_intent.setup_failed", failed)
  return new Refusal(reason.type === "card_error" ? 402 : 400, { ...said, setup_intent: failed })
}

/** Saves a method whose holder agreed, or does not have to. */
export const completeSetup = (call: Call, intent: SetupIntent, method: PaymentMethod): SetupIntent | Refusal => {
  const card = testCardOf(method)
  if (card?.decline !== undefined && card.declinesLate !== true) {
    return failSetup(call, intent, method, { type: "card_error", ...card.decline })
  }
  if (intent.customer !== null) link(call, method, intent.customer)
  const after = putSetup(call, {
    ...intent,
    last_setup_error: null,
    latest_attempt: newId("setatt"),
    next_action: null,
    payment_method: method.id,
    status: "succeeded"
  })
  emit(call, "setup_intent.succeeded", after)
  return after
}

/** Tries to save a method. */
export const attemptSetup = (call: Call, intent: SetupIntent, method: PaymentMethod, returnUrl: string | null) => {
  const authentication = testCardOf(method)?.authentication
  if (method.type === "card" && (authentication === undefined || authentication === "on session")) {
    return completeSetup(call, intent, method)
  }
  const waiting = putSetup(call, {
    ...intent,
    next_action: nextActionOf(call.url, intent.id, returnUrl),
    payment_method: method.id,
    status: "requires_action"
  })
  emit(call, "setup_intent.requires_action", waiting)
  return waiting
}
