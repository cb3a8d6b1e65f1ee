import { Schema } from "effect"
import { type Call, emit, putWithEvent } from "./Call.ts"
import { refundConstants } from "./constantFields.ts"
import { newId } from "./ids.ts"
import { readRoutes } from "./listPage.ts"
import { isDisputed } from "./moveDispute.ts"
import type { Charge, Refund } from "./objects.ts"
import { testCardOf } from "./PaymentMethod.ts"
import { createdFilter, integer, metadata, metadataAfter, optional, page, text } from "./params.ts"
import { invalid, tooSmall } from "./Refusal.ts"
import { route } from "./route.ts"

const New = Schema.Struct({
  amount: optional(integer),
  charge: optional(text),
  metadata: optional(metadata),
  payment_intent: optional(text),
  reason: optional(Schema.Literals(["duplicate", "fraudulent", "requested_by_customer"]))
})

const chargeOf = ({ ledger }: Call, { charge, payment_intent }: typeof New.Type): Charge => {
  if (charge !== undefined) return ledger.named("charge", charge)
  if (payment_intent === undefined) {
    throw invalid("Name the charge or the payment_intent that is to be refunded.", { code: "parameter_missing" })
  }
  const intent = ledger.named("payment_intent", payment_intent)
  const latest = intent.latest_charge === null ? undefined : ledger.get("charge", intent.latest_charge)
  if (latest === undefined || latest.status !== "succeeded") {
    throw invalid(`This PaymentIntent (${intent.id}) has no successful charge to refund.`, { param: "payment_intent" })
  }
  return latest
}

// Stripe has two names for the event of a changed refund.
const change = (call: Call, after: Refund, before: Refund): Refund => {
  putWithEvent(call, "refund", "refund.updated", after, before)
  emit(call, "charge.refund.updated", after, before)
  return after
}

const create = (call: Call, params: typeof New.Type): Refund => {
  const charge = chargeOf(call, params)
  if (charge.status !== "succeeded") throw invalid("A charge that failed cannot be refunded.")
  if (!charge.captured) {
    throw invalid("Nothing was captured yet: cancel the PaymentIntent instead of refunding its charge.")
  }
  const refundable = charge.amount_captured - charge.amount_refunded
  if (refundable === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" })
  if (isDisputed(call, charge))
    throw invalid("A charge that is disputed cannot be refunded.", { code: "charge_disputed" })
  const amount = params.amount ?? refundable
  if (amount < 1) throw tooSmall("amount")
  if (amount > refundable) {
    throw invalid(`The amount (${amount}) is greater than what is not refunded yet (${refundable}).`, {
      param: "amount"
    })
  }
  const method = call.ledger.get("payment_method", charge.payment_method)
  const course = method && testCardOf(method)?.refund
  const refund = putWithEvent(call, "refund", "refund.created", {
    ...refundConstants,
    id: newId("re"),
    amount,
    balance_transaction: newId("txn"),
    charge: charge.id,
    created: call.now,
    currency: charge.currency,
    customer: charge.customer,
    metadata: metadataAfter({}, params.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    status: course === "pending" ? "pending" : "succeeded"
  })
  const amount_refunded = charge.amount_refunded + amount
  const refunded = { ...charge, amount_refunded, refunded: amount_refunded >= charge.amount_captured }
  putWithEvent(call, "charge", "charge.refunded", refunded, charge)
  if (course === "fails") failRefund(call, refund)
  if (course === "pending") change(call, { ...refund, status: "succeeded" }, refund)
  return refund
}

/** Fails a refund: the bank sends the money back to the merchant. */
export const failRefund = (call: Call, before: Refund): Refund => {
  if (before.status === "failed") throw invalid("This refund has failed already.")
  const charge = call.ledger.at("charge", before.charge)
  const amount_refunded = charge.amount_refunded - before.amount
  call.ledger.put("charge", charge.id, { ...charge, amount_refunded, refunded: false })
  const after: Refund = { ...before, failure_reason: "expired_or_canceled_card", status: "failed" }
  emit(call, "refund.failed", after, before)
  return change(call, after, before)
}

const Changes = Schema.Struct({ metadata: optional(metadata) })

const update = (call: Call, changes: typeof Changes.Type, id: string): Refund => {
  const before = call.ledger.at("refund", id)
  return change(call, { ...before, metadata: metadataAfter(before.metadata, changes.metadata) }, before)
}

const Listed = Schema.Struct({
  ...page,
  charge: optional(text),
  created: optional(createdFilter),
  payment_intent: optional(text)
})

/** The routes of refunds, of a whole charge or a part of it. */
export const refundRoutes = [
  route("POST", "/v1/refunds", New, create),
  ...readRoutes("refund", "/v1/refunds", Listed),
  route("POST", "/v1/refunds/:id", Changes, update)
]
