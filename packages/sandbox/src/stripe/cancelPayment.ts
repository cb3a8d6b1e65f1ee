import { type Call, emit, nowOf } from "./Call.ts"
import { chargeAt } from "./Charge.ts"
import { isOpen } from "./confirmPayment.ts"
import { type PaymentIntent, putPayment, unexpectedPayment } from "./PaymentIntent.ts"
import { releaseHold } from "./Refund.ts"

/** Ends an intent that took nothing; what it holds is released, which shows as a refund of its charge. */
export const cancelPayment = (
  call: Call,
  intent: PaymentIntent,
  reason: PaymentIntent["cancellation_reason"]
): PaymentIntent => {
  if (!isOpen(intent) && intent.status !== "requires_capture") throw unexpectedPayment(intent, "canceled")
  if (intent.status === "requires_capture" && intent.latest_charge !== null) {
    const charge = chargeAt(call, intent.latest_charge)
    const isExpiry = reason === "automatic"
    releaseHold(call, charge, charge.amount, isExpiry ? "expired_uncaptured_charge" : null)
    emit(call, isExpiry ? "charge.expired" : "charge.refunded", chargeAt(call, charge.id), charge)
  }
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
    const { capture_before } = chargeAt(call, intent.latest_charge).payment_method_details.card ?? {}
    if (capture_before !== undefined && capture_before <= nowOf(call, intent.customer)) {
      cancelPayment(call, intent, "automatic")
    }
  }
}
