import { type Call, emit, nowOf } from "./Call.ts"
import { chargeAt } from "./Charge.ts"
import { isOpen, type PaymentIntent, putPayment, unexpectedPayment } from "./PaymentIntent.ts"

/** Ends an intent that took nothing; what it holds is released. */
export const cancelPayment = (
  call: Call,
  intent: PaymentIntent,
  reason: PaymentIntent["cancellation_reason"]
): PaymentIntent => {
  if (!isOpen(intent) && intent.status !== "requires_capture") throw unexpectedPayment(intent, "canceled")
  const after = putPayment(call, {
    ...intent,
    amount_capturable: 0,
    canceled_at: nowOf(call, intent.customer),
    cancellation_reason: reason,
    next_action: null,
    status: "canceled"
  })
  emit(call, "payment_intent.canceled", after)
  return after
}

/** Cancels the intents whose holds are over. */
export const expireHolds = (call: Call): void => {
  for (const intent of call.books.all("payment_intent")) {
    if (intent.status !== "requires_capture" || intent.latest_charge === null) continue
    const charge = chargeAt(call, intent.latest_charge)
    const { capture_before } = charge.payment_method_details.card ?? {}
    if (capture_before !== undefined && capture_before <= nowOf(call, intent.customer)) {
      emit(call, "charge.expired", charge)
      cancelPayment(call, intent, "expired")
    }
  }
}
