import { Schema } from "effect"
import type { Call } from "./Call.ts"
import { cancelPayment } from "./cancelPayment.ts"
import { capturePayment } from "./capturePayment.ts"
import { changed, updatePayment } from "./changePayment.ts"
import { confirmPayment } from "./confirmPayment.ts"
import { createPayment } from "./createPayment.ts"
import { isOpen } from "./intents.ts"
import { methodOf } from "./MethodData.ts"
import { created, page, text } from "./params.ts"
import {
  NewPayment,
  PaymentCancellation,
  PaymentCapture,
  PaymentChanges,
  PaymentConfirmation
} from "./paymentParams.ts"
import { unexpectedStatus } from "./Refusal.ts"
import { listRoute } from "./readRoutes.ts"
import { route } from "./route.ts"

const confirm = (call: Call, params: typeof PaymentConfirmation.Type, id: string) => {
  const before = call.ledger.at("payment_intent", id)
  if (!isOpen(before)) throw unexpectedStatus(before, "confirmed")
  return confirmPayment(call, changed(call, before, params), methodOf(call, params), params)
}

const Listed = Schema.Struct({ ...page, created: Schema.optionalKey(created), customer: Schema.optionalKey(text) })

const Shown = Schema.Struct({ client_secret: Schema.optionalKey(text) })

/** The routes of payment intents. */
export const paymentIntentRoutes = [
  route("POST", "/v1/payment_intents", NewPayment, createPayment),
  listRoute("payment_intent", "/v1/payment_intents", Listed),
  route("GET", "/v1/payment_intents/:id", Shown, (call, _, id) => call.ledger.at("payment_intent", id)),
  route("POST", "/v1/payment_intents/:id", PaymentChanges, (call, params, id) =>
    updatePayment(call, call.ledger.at("payment_intent", id), params)
  ),
  route("POST", "/v1/payment_intents/:id/confirm", PaymentConfirmation, confirm),
  route("POST", "/v1/payment_intents/:id/capture", PaymentCapture, (call, params, id) =>
    capturePayment(call, call.ledger.at("payment_intent", id), params.amount_to_capture, params.metadata)
  ),
  route("POST", "/v1/payment_intents/:id/cancel", PaymentCancellation, (call, { cancellation_reason }, id) =>
    cancelPayment(call, call.ledger.at("payment_intent", id), cancellation_reason ?? null)
  )
]
