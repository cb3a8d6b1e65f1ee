import { type Call, emit, nowOf, putWithEvent } from "./Call.ts"
import { isOpen } from "./intents.ts"
import type { PaymentIntent } from "./objects.ts"
import { unexpectedStatus } from "./Refusal.ts"

/** Cancels an intent that captured nothing, and releases its hold. */
export const cancelPayment = (
  call: Call,
  intent: PaymentIntent,
  reason: PaymentIntent["cancellation_reason"]
): PaymentIntent => {
  if (!isOpen(intent) && intent.status !== "requires_capture") throw unexpectedStatus(intent, "canceled")
  return putWithEvent(call, "payment_intent", "payment_intent.canceled", {
    ...intent,
    amount_capturable: 0,
    canceled_at: nowOf(call, intent.customer),
    cancellation_reason: reason,
    next_action: null,
    status: "canceled"
  })
}

/** Cancels the intents whose holds have expired. */
export const expireHolds = (call: Call): void => {
  for (const intent of call.ledger.all("payment_intent")) {
    if (intent.status !== "requires_capture" || intent.latest_charge === null) continue
    const charge = call.ledger.at("charge", intent.latest_charge)
    const { capture_before } = charge.payment_method_details.card ?? {}
    if (capture_before !== undefined && capture_before <= nowOf(call, intent.customer)) {
      emit(call, "charge.expired", charge)
      cancelPayment(call, intent, "expired")
    }
  }
}
