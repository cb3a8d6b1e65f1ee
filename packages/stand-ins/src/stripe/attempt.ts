import { link, useUp } from "./attachMethod.ts"
import { type Call, emit } from "./Call.ts"
import { newCharge, putCharge } from "./Charge.ts"
import { openDispute } from "./Dispute.ts"
import { newId } from "./ids.ts"
import { nextActionOf } from "./NextAction.ts"
import { type PaymentIntent, putPayment } from "./PaymentIntent.ts"
import { type PaymentMethod, testCardOf } from "./PaymentMethod.ts"
import { type Reason, Refusal } from "./Refusal.ts"
import type { TestCard } from "./testCards.ts"

/** How a payment is tried. */
export interface Attempt {
  /** Whether the customer is not there to be asked. */
  readonly isOffSession: boolean
  readonly returnUrl: string | null
  /** To fail instead of asking the customer. */
  readonly failsOnAction?: boolean
}

/** The payment failed: that is kept, and said. */
export const failPayment = (call: Call, intent: PaymentIntent, method: PaymentMethod, reason: Reason): Refusal => {
  const said = { ...reason, payment_method: method }
  const failed = putPayment(call, {
    ...intent,
    last_payment_error: said,
    latest_charge: reason.charge ?? intent.latest_charge,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method"
  })
  emit(call, "payment_intent.payment_failed", failed)
  return new Refusal(reason.type === "card_error" ? 402 : 400, { ...said, payment_intent: failed })
}

const isSetUp = ({ books }: Call, method: PaymentMethod): boolean =>
  books
    .all("setup_intent")
    .some(({ payment_method, status }) => payment_method === method.id && status === "succeeded") ||
  books
    .all("payment_intent")
    .some(
      ({ payment_method, setup_future_usage, status }) =>
        payment_method === method.id && setup_future_usage === "off_session" && status === "succeeded"
    )

const asksHolder = (call: Call, card: TestCard | undefined, method: PaymentMethod, isOffSession: boolean): boolean => {
  switch (card?.authentication) {
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

const awaitCustomer = (call: Call, intent: PaymentIntent, method: PaymentMethod, returnUrl: string | null) => {
  const waiting = putPayment(call, {
    ...intent,
    next_action: nextActionOf(call.url, intent.id, returnUrl),
    payment_method: method.id,
    status: "requires_action"
  })
  emit(call, "payment_intent.requires_action", waiting)
  return waiting
}

/** Charges a method whose customer agreed, or does not have to. */
export const charge = (
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  isOffSession = false
): PaymentIntent | Refusal => {
  const card = testCardOf(method)
  if (card?.decline !== undefined) {
    const declined = putCharge(call, newCharge(call, intent, method, isOffSession, card.decline))
    emit(call, "charge.failed", declined)
    return failPayment(call, intent, method, { type: "card_error", ...card.decline, charge: declined.id })
  }
  const made = putCharge(call, newCharge(call, intent, method, isOffSession))
  emit(call, "charge.succeeded", made)
  const after = putPayment(call, {
    ...intent,
    amount_capturable: made.captured ? 0 : intent.amount,
    amount_received: made.amount_captured,
    last_payment_error: null,
    latest_charge: made.id,
    next_action: null,
    payment_method: method.id,
    status: made.captured ? "succeeded" : "requires_capture"
  })
  emit(call, made.captured ? "payment_intent.succeeded" : "payment_intent.amount_capturable_updated", after)
  if (intent.setup_future_usage !== null && intent.customer !== null) link(call, method, intent.customer)
  else if (method.customer === null) useUp(call, method)
  if (made.captured) settle(call, made.id)
  if (made.captured && card?.dispute !== undefined) openDispute(call, made.id, card.dispute)
  return after
}

/** What was taken comes to the account a moment later. */
export const settle = (call: Call, id: string): void => {
  const before = call.books.get("charge", id)
  if (before === undefined) return
  emit(call, "charge.updated", putCharge(call, { ...before, balance_transaction: newId("txn") }), before)
}

/** Tries to take or hold an intent's amount. */
export const attempt = (
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  { failsOnAction, isOffSession, returnUrl }: Attempt
): PaymentIntent | Refusal => {
  if (method.type !== "card") return awaitCustomer(call, intent, method, returnUrl)
  if (!asksHolder(call, testCardOf(method), method, isOffSession)) return charge(call, intent, method, isOffSession)
  if (!isOffSession && failsOnAction !== true) return awaitCustomer(call, intent, method, returnUrl)
  return failPayment(call, intent, method, {
    type: "card_error",
    code: "authentication_required",
    decline_code: "authentication_required",
    message: "The card was declined: its holder has to authenticate the payment."
  })
}
