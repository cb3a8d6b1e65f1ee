import { Schema } from "effect"
import type { Call } from "./Call.ts"
import { cancelPayment } from "./cancelPayment.ts"
import { capturePayment } from "./capturePayment.ts"
import { changed, updatePayment } from "./changePayment.ts"
import { confirmPayment } from "./confirmPayment.ts"
import { createPayment } from "./createPayment.ts"
import { methodOf } from "./MethodData.ts"
import { isOpen, paymentAt, unexpectedPayment } from "./PaymentIntent.ts"
import { pageOf } from "./pageOf.ts"
import { text } from "./params.ts"
import {
  ListedPayments,
  NewPayment,
  PaymentCancellation,
  PaymentCapture,
  PaymentChanges,
  PaymentConfirmation
} from "./paymentParams.ts"
import { route } from "./route.ts"

const confirm = (call: Call, asked: typeof PaymentConfirmation.Type, id: string) => {
  const before = paymentAt(call, id)
  if (!isOpen(before)) throw unexpectedPayment(before, "confirmed")
  return confirmPayment(call, changed(call, before, asked), methodOf(call, asked), asked)
}

const listed = ({ books }: Call, asked: typeof ListedPayments.Type) =>
  pageOf("/v1/payment_intents", books.all("payment_intent"), asked)

const Shown = Schema.Struct({ client_secret: Schema.optionalKey(text) })

/** Payment intents: what a customer is to pay, and how that goes on. */
export const paymentIntentRoutes = [
  route("POST", "/v1/payment_intents", NewPayment, createPayment),
  route("GET", "/v1/payment_intents", ListedPayments, listed),
  route("GET", "/v1/payment_intents/:id", Shown, (call, _, id) => paymentAt(call, id)),
  route("POST", "/v1/payment_intents/:id", PaymentChanges, (call, asked, id) =>
    updatePayment(call, paymentAt(call, id), asked)
  ),
  route("POST", "/v1/payment_intents/:id/confirm", PaymentConfirmation, confirm),
  route("POST", "/v1/payment_intents/:id/capture", PaymentCapture, (call, asked, id) =>
    capturePayment(call, paymentAt(call, id), asked.amount_to_capture, asked.metadata)
  ),
  route("POST", "/v1/payment_intents/:id/cancel", PaymentCancellation, (call, { cancellation_reason }, id) =>
    cancelPayment(call, paymentAt(call, id), cancellation_reason ?? null)
  )
]
