import { Schema } from "effect"
import { authorize, beginProcessing } from "./authorize.ts"
import type { Call } from "./Call.ts"
import { confirmPayment } from "./confirmPayment.ts"
import { confirmSetup } from "./confirmSetup.ts"
import { moveDispute, openDispute } from "./moveDispute.ts"
import { disputeStatuses } from "./objects.ts"
import { methodNamed } from "./PaymentMethod.ts"
import { invalid } from "./Refusal.ts"
import { failRefund } from "./refunds.ts"

const readConfirmation = Schema.decodeUnknownSync(
  Schema.Struct({ payment_method: Schema.String, return_url: Schema.optionalKey(Schema.String) })
)
const readDisputed = Schema.decodeUnknownSync(
  Schema.Struct({
    payment_intent: Schema.String,
    reason: Schema.optionalKey(Schema.String),
    status: Schema.optionalKey(Schema.Literals(["needs_response", "warning_needs_response"]))
  })
)
const readMoved = Schema.decodeUnknownSync(Schema.Struct({ status: Schema.Literals(disputeStatuses) }))

// As in a browser, a decline is no error: the intent says that its payment failed.
const confirm = (call: Call, id: string, body: unknown) => {
  const params = readConfirmation(body)
  const method = methodNamed(call, params.payment_method)
  const return_url = params.return_url ?? `${call.url}/authorize/${id}`
  if (id.startsWith("seti_")) {
    confirmSetup(call, call.ledger.at("setup_intent", id), method, return_url)
    return call.ledger.at("setup_intent", id)
  }
  confirmPayment(call, call.ledger.at("payment_intent", id), method, { return_url })
  return call.ledger.at("payment_intent", id)
}

const dispute = (call: Call, body: unknown) => {
  const { payment_intent, reason, status } = readDisputed(body)
  const { latest_charge } = call.ledger.at("payment_intent", payment_intent)
  if (latest_charge === null) throw invalid("Nothing was charged that could be disputed.")
  return openDispute(call, latest_charge, reason ?? "fraudulent", status)
}

/** Performs an operation of `/control`, and returns undefined for an unknown one. */
export const control = (call: Call, operation: string, id: string, body: unknown): unknown => {
  const { ledger } = call
  switch (operation) {
    case "POST intents id confirm":
      return confirm(call, id, body)
    case "POST intents id authorize":
      return authorize(call, id, true)
    case "POST intents id fail":
      return authorize(call, id, false)
    case "POST intents id process":
      return beginProcessing(call, id)
    case "POST disputes":
      return dispute(call, body)
    case "POST disputes id":
      return moveDispute(call, ledger.at("dispute", id), readMoved(body))
    case "POST refunds id fail":
      return failRefund(call, ledger.at("refund", id))
  }
  return undefined
}
