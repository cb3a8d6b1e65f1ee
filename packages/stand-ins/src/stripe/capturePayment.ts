import { settle } from "./attempt.ts"
import { type Call, emit } from "./Call.ts"
import { chargeAt, putCharge } from "./Charge.ts"
import { openDispute } from "./Dispute.ts"
import { type PaymentIntent, putPayment, unexpectedPayment } from "./PaymentIntent.ts"
import { testCardOf } from "./PaymentMethod.ts"
import { type metadata, metadataAfter } from "./params.ts"
import { invalid } from "./Refusal.ts"

/** Takes what is held, or a part of it: the rest is released. */
export const capturePayment = (
  call: Call,
  intent: PaymentIntent,
  amount = intent.amount_capturable,
  given?: typeof metadata.Type
): PaymentIntent => {
  if (intent.status !== "requires_capture" || intent.latest_charge === null) throw unexpectedPayment(intent, "captured")
  if (amount < 1) {
    throw invalid("An amount is at least 1.", { code: "parameter_invalid_integer", param: "amount_to_capture" })
  }
  if (amount > intent.amount_capturable) {
    throw invalid(`No more than ${intent.amount_capturable} can be captured.`, {
      code: "amount_too_large",
      param: "amount_to_capture"
    })
  }
  const before = chargeAt(call, intent.latest_charge)
  const taken = putCharge(call, { ...before, amount_captured: amount, captured: true })
  emit(call, "charge.captured", taken, before)
  const after = putPayment(call, {
    ...intent,
    amount_capturable: 0,
    amount_received: amount,
    metadata: metadataAfter(intent.metadata, given),
    status: "succeeded"
  })
  emit(call, "payment_intent.succeeded", after)
  settle(call, before.id)
  const method = call.books.get("payment_method", before.payment_method)
  const dispute = method && testCardOf(method)?.dispute
  if (dispute !== undefined) openDispute(call, before.id, dispute)
  return after
}
