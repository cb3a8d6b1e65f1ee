import { Schema } from "effect"
import { finishCapture } from "./attempt.ts"
import { type Call, nowOf, putWithEvent } from "./Call.ts"
import { cancelPayment } from "./cancelPayment.ts"
import { updatePayment, withChanges } from "./changePayment.ts"
import { confirmPayment } from "./confirmPayment.ts"
import { paymentIntentConstants } from "./constantFields.ts"
import { newId, newSecret } from "./ids.ts"
import { isOpen } from "./intents.ts"
import { listRoute } from "./listPage.ts"
import { methodOf } from "./MethodData.ts"
import { allowedTypesOf } from "./methodTypesOf.ts"
import type { PaymentIntent } from "./objects.ts"
import { createdFilter, type metadata, metadataAfter, page, text } from "./params.ts"
import {
  CancellationParams,
  CaptureParams,
  ConfirmationParams,
  PaymentChangeParams,
  PaymentParams
} from "./paymentParams.ts"
import { invalid, type Refusal, tooSmall, unexpectedStatus } from "./Refusal.ts"
import { route } from "./route.ts"

const newPayment = (amount: number, currency: string, created: number): PaymentIntent => {
  const id = newId("pi")
  return {
    ...paymentIntentConstants,
    ...allowedTypesOf({}),
    id,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: newSecret(id),
    created,
    currency,
    customer: null,
    description: null,
    last_payment_error: null,
    latest_charge: null,
    metadata: {},
    next_action: null,
    payment_method: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" }
    },
    payment_method_types: [],
    receipt_email: null,
    setup_future_usage: null,
    shipping: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method"
  }
}

/** Creates a payment intent, and confirms it if the request asks for that. */
const createPayment = (call: Call, params: typeof PaymentParams.Type): PaymentIntent | Refusal => {
  const { amount, confirm, currency } = params
  if (params.off_session === true && confirm !== true) {
    throw invalid("off_session goes with confirm only.", { param: "off_session" })
  }
  const blank = newPayment(amount, currency, nowOf(call, params.customer ?? null))
  const intent = withChanges(call, { ...blank, ...allowedTypesOf(params) }, params)
  const method = methodOf(call, params)
  const created = putWithEvent(call, "payment_intent", "payment_intent.created", {
    ...intent,
    ...(method && { payment_method: method.id, status: "requires_confirmation" })
  })
  return confirm === true ? confirmPayment(call, created, method, params) : created
}

/** Captures a held amount or a part of it, and releases the rest. */
const capturePayment = (
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

const confirm = (call: Call, params: typeof ConfirmationParams.Type, id: string) => {
  const before = call.ledger.at("payment_intent", id)
  if (!isOpen(before)) throw unexpectedStatus(before, "confirmed")
  return confirmPayment(call, withChanges(call, before, params), methodOf(call, params), params)
}

const Listed = Schema.Struct({
  ...page,
  created: Schema.optionalKey(createdFilter),
  customer: Schema.optionalKey(text)
})

const Shown = Schema.Struct({ client_secret: Schema.optionalKey(text) })

/** The routes of payment intents. */
export const paymentIntentRoutes = [
  route("POST", "/v1/payment_intents", PaymentParams, createPayment),
  listRoute("payment_intent", "/v1/payment_intents", Listed),
  route("GET", "/v1/payment_intents/:id", Shown, (call, _, id) => call.ledger.at("payment_intent", id)),
  route("POST", "/v1/payment_intents/:id", PaymentChangeParams, (call, params, id) =>
    updatePayment(call, call.ledger.at("payment_intent", id), params)
  ),
  route("POST", "/v1/payment_intents/:id/confirm", ConfirmationParams, confirm),
  route("POST", "/v1/payment_intents/:id/capture", CaptureParams, (call, params, id) =>
    capturePayment(call, call.ledger.at("payment_intent", id), params.amount_to_capture, params.metadata)
  ),
  route("POST", "/v1/payment_intents/:id/cancel", CancellationParams, (call, { cancellation_reason }, id) =>
    cancelPayment(call, call.ledger.at("payment_intent", id), cancellation_reason ?? null)
  )
]
