import { link, useUp } from "./attachMethod.ts"
import { type Call, emit, putWithEvent } from "./Call.ts"
import { newId } from "./ids.ts"
import { awaitingCustomer } from "./intents.ts"
import { openDispute } from "./moveDispute.ts"
import { newCharge } from "./newCharge.ts"
import type { Charge, PaymentIntent, PaymentMethod, Reason } from "./objects.ts"
import { testCardOf } from "./PaymentMethod.ts"
import { Refusal } from "./Refusal.ts"

interface Attempt {
  /** Whether the customer is absent and cannot consent. */
  readonly isOffSession: boolean
  readonly returnUrl: string | null
  /** Whether a payment that needs consent fails instead of waiting for it. */
  readonly failsOnAction: boolean
}

/** Stores that a payment failed, and returns the refusal. */
export const failPayment = (call: Call, intent: PaymentIntent, method: PaymentMethod, reason: Reason): Refusal => {
  const error = { ...reason, payment_method: method }
  const failed = putWithEvent(call, "payment_intent", "payment_intent.payment_failed", {
    ...intent,
    last_payment_error: error,
    latest_charge: reason.charge ?? intent.latest_charge,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method"
  })
  return new Refusal(reason.type === "card_error" ? 402 : 400, { ...error, payment_intent: failed })
}

const isSetUp = ({ ledger }: Call, { id }: PaymentMethod): boolean =>
  ledger.all("setup_intent").some((candidate) => candidate.payment_method === id && candidate.status === "succeeded") ||
  ledger
    .all("payment_intent")
    .some(
      (candidate) =>
        candidate.payment_method === id &&
        candidate.setup_future_usage === "off_session" &&
        candidate.status === "succeeded"
    )

const needsConsent = (call: Call, method: PaymentMethod, isOffSession: boolean): boolean => {
  switch (testCardOf(method)?.authentication) {
    case undefined:
      return false
    case "always":
      return true
    case "unless set up":
      return !(isOffSession && isSetUp(call, method))
    case "on session":
      return !isOffSession
  }
}

// As at Stripe, the balance transaction follows the capture.
const settle = (call: Call, charge: Charge): Charge =>
  putWithEvent(call, "charge", "charge.updated", { ...charge, balance_transaction: newId("txn") }, charge)

/** Settles a captured charge, and opens the dispute that its test card causes. */
export const finishCapture = (call: Call, charge: Charge): void => {
  settle(call, charge)
  const method = call.ledger.get("payment_method", charge.payment_method)
  const dispute = method && testCardOf(method)?.dispute
  if (dispute !== undefined) openDispute(call, charge.id, dispute)
}

/** Charges a payment method that needs no consent, or has it. */
export const charge = (
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  isOffSession = false
): PaymentIntent | Refusal => {
  const decline = testCardOf(method)?.decline
  const newest = newCharge(call, intent, method, isOffSession, decline)
  putWithEvent(call, "charge", decline === undefined ? "charge.succeeded" : "charge.failed", newest)
  if (decline !== undefined) {
    return failPayment(call, intent, method, { type: "card_error", ...decline, charge: newest.id })
  }
  const after: PaymentIntent = {
    ...intent,
    amount_capturable: newest.captured ? 0 : intent.amount,
    amount_received: newest.amount_captured,
    last_payment_error: null,
    latest_charge: newest.id,
    next_action: null,
    payment_method: method.id,
    status: newest.captured ? "succeeded" : "requires_capture"
  }
  call.ledger.put("payment_intent", intent.id, after)
  emit(call, newest.captured ? "payment_intent.succeeded" : "payment_intent.amount_capturable_updated", after)
  if (intent.setup_future_usage !== null && intent.customer !== null) link(call, method, intent.customer)
  else if (method.customer === null) useUp(call, method)
  if (newest.captured) finishCapture(call, newest)
  return after
}

/** Charges a payment method, waits for its customer's consent, or fails without it. */
export const attempt = (
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  { failsOnAction, isOffSession, returnUrl }: Attempt
): PaymentIntent | Refusal => {
  const isCard = method.type === "card"
  if (isCard && !needsConsent(call, method, isOffSession)) return charge(call, intent, method, isOffSession)
  if (isCard && (isOffSession || failsOnAction)) {
    return failPayment(call, intent, method, {
      type: "card_error",
      code: "authentication_required",
      decline_code: "authentication_required",
      message: "The card was declined: its holder has to authenticate the payment."
    })
  }
  return putWithEvent(call, "payment_intent", "payment_intent.requires_action", {
    ...intent,
    ...awaitingCustomer(call.url, intent.id, method.id, returnUrl)
  })
}
