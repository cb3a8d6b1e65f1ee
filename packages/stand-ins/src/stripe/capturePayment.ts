import { finishCapture } from "./attempt.ts"
import { type Call, putWithEvent } from "./Call.ts"
import type { PaymentIntent } from "./objects.ts"
import { type metadata, metadataAfter } from "./params.ts"
import { invalid, tooSmall, unexpectedStatus } from "./Refusal.ts"

/** Captures a held amount or a part of it, and releases the rest. */
export const capturePayment = (
  call: Call,
  intent: PaymentIntent,
  amount = intent.amount_capturable,
  changes?: typeof metadata.Type
): PaymentIntent => {
  if (intent.status !== "requires_capture" || intent.latest_charge === null) throw unexpectedStatus(intent, "captured")
  if (amount < 1) throw tooSmall("amount_to_capture")
  if (amount > intent.amount_capturable) {
    throw invalid(`No more than ${intent.amount_capturable} can be captured.`, {
      code: "amount_too_large",
      param: "amount_to_capture"
    })
  }
  const before = call.ledger.at("charge", intent.latest_charge)
  const charge = { ...before, amount_captured: amount, captured: true }
  putWithEvent(call, "charge", "charge.captured", charge, before)
  const after = putWithEvent(call, "payment_intent", "payment_intent.succeeded", {
    ...intent,
    amount_capturable: 0,
    amount_received: amount,
    metadata: metadataAfter(intent.metadata, changes),
    status: "succeeded"
  })
  finishCapture(call, charge)
  return after
}
