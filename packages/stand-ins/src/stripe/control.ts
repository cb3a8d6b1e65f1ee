import { Schema } from "effect"
import type { Answer } from "../standIn/Answer.ts"
import type { Deliveries } from "../standIn/Deliveries.ts"
import type { Received } from "../standIn/Received.ts"
import { operationOf, sharedControl } from "../standIn/sharedControl.ts"
import type { Troubles } from "../standIn/Troubles.ts"
import type { Api } from "./Api.ts"
import { authorize, beginProcessing } from "./authorize.ts"
import type { Call } from "./Call.ts"
import { confirmPayment } from "./confirmPayment.ts"
import { confirmSetup } from "./confirmSetup.ts"
import type { Ledger } from "./Ledger.ts"
import { moveDispute, openDispute } from "./moveDispute.ts"
import { disputeStatuses } from "./objects.ts"
import { methodNamed } from "./PaymentMethod.ts"
import { invalid } from "./Refusal.ts"
import { failRefund } from "./refunds.ts"

interface Parts {
  readonly api: Api
  readonly ledger: Ledger
  readonly deliveries: Deliveries
  readonly received: Received<unknown>
  readonly troubles: Troubles
}

const Confirmation = Schema.Struct({ payment_method: Schema.String, return_url: Schema.optionalKey(Schema.String) })
const Disputed = Schema.Struct({
  payment_intent: Schema.String,
  reason: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.Literals(["needs_response", "warning_needs_response"]))
})
const Moved = Schema.Struct({ status: Schema.Literals(disputeStatuses) })

const readConfirmation = Schema.decodeUnknownSync(Confirmation)
const readDisputed = Schema.decodeUnknownSync(Disputed)
const readMoved = Schema.decodeUnknownSync(Moved)

// The intent as it then is, also when the method was declined: that is what a browser shows.
const confirm = (call: Call, id: string, body: unknown) => {
  const asked = readConfirmation(body)
  const method = methodNamed(call, asked.payment_method)
  const return_url = asked.return_url ?? `${call.url}/authorize/${id}`
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

/** Does what a test asks for, beside Stripe's API: what goes wrong, when events are told, and what people do. */
export const control = async (parts: Parts, method: string, path: string, body: unknown): Promise<Answer> => {
  const { id, operation } = operationOf(method, path)
  const shared = await sharedControl(parts, operation, body)
  if (shared !== undefined) return shared
  const { api, ledger } = parts
  const perform = (work: (call: Call) => unknown): Answer => ({
    status: 200,
    body: ledger.transact(() => work(api.call()))
  })

  switch (operation) {
    case "POST intents id confirm":
      return perform((call) => confirm(call, id, body))
    case "POST intents id authorize":
      return perform((call) => authorize(call, id, true))
    case "POST intents id fail":
      return perform((call) => authorize(call, id, false))
    case "POST intents id process":
      return perform((call) => beginProcessing(call, id))
    case "POST disputes":
      return perform((call) => dispute(call, body))
    case "POST disputes id":
      return perform((call) => moveDispute(call, call.ledger.at("dispute", id), readMoved(body)))
    case "POST refunds id fail":
      return perform((call) => failRefund(call, call.ledger.at("refund", id)))
    default:
      return { status: 404, body: { error: { message: "There is no such control." } } }
  }
}
