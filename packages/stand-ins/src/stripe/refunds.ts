import { Schema } from "effect"
import { type Call, emit } from "./Call.ts"
import { type Charge, chargeAt, putCharge } from "./Charge.ts"
import { isDisputed } from "./Dispute.ts"
import { testCardOf } from "./PaymentMethod.ts"
import { pageOf } from "./pageOf.ts"
import { created, given, integer, metadata, metadataAfter, page, text } from "./params.ts"
import { newRefund, type Refund, refundAt } from "./Refund.ts"
import { invalid, unknownParameter } from "./Refusal.ts"
import { route } from "./route.ts"

const key = Schema.optionalKey

const New = Schema.Struct({
  amount: key(integer),
  charge: key(text),
  metadata: key(metadata),
  payment_intent: key(text),
  reason: key(Schema.Literals(["duplicate", "fraudulent", "requested_by_customer"]))
})

const chargeOf = ({ books }: Call, { charge, payment_intent }: typeof New.Type): Charge => {
  if (charge !== undefined) {
    const named = books.get("charge", charge)
    if (named === undefined) throw unknownParameter("charge", charge, "charge")
    return named
  }
  if (payment_intent === undefined) {
    throw invalid("Name the charge or the payment_intent that is to be refunded.", { code: "parameter_missing" })
  }
  const intent = books.get("payment_intent", payment_intent)
  if (intent === undefined) throw unknownParameter("payment_intent", payment_intent, "payment_intent")
  const latest = intent.latest_charge === null ? undefined : books.get("charge", intent.latest_charge)
  if (latest === undefined || latest.status !== "succeeded") {
    throw invalid(`This PaymentIntent (${intent.id}) has no successful charge to refund.`, { param: "payment_intent" })
  }
  return latest
}

/** Tells of a change of a refund, under both of its names. */
const tellChange = (call: Call, after: Refund, before: Refund): void => {
  emit(call, "refund.updated", after, before)
  emit(call, "charge.refund.updated", after, before)
}

const create = (call: Call, asked: typeof New.Type): Refund => {
  const charge = chargeOf(call, asked)
  if (charge.status !== "succeeded") throw invalid("A charge that failed cannot be refunded.")
  if (!charge.captured) {
    throw invalid("Nothing was captured yet: cancel the PaymentIntent instead of refunding its charge.")
  }
  const left = charge.amount_captured - charge.amount_refunded
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" })
  if (isDisputed(call, charge))
    throw invalid("A charge that is disputed cannot be refunded.", { code: "charge_disputed" })
  const amount = asked.amount ?? left
  if (amount < 1) throw invalid("An amount is at least 1.", { code: "parameter_invalid_integer", param: "amount" })
  if (amount > left) {
    throw invalid(`The amount (${amount}) is greater than what is not refunded yet (${left}).`, { param: "amount" })
  }
  const method = call.books.get("payment_method", charge.payment_method)
  const course = method && testCardOf(method)?.refund
  const refund = newRefund(call, charge, amount, {
    ...given({ reason: asked.reason }),
    metadata: metadataAfter({}, asked.metadata),
    status: course === "pending" ? "pending" : "succeeded"
  })
  emit(call, "refund.created", refund)
  emit(call, "charge.refunded", chargeAt(call, charge.id), charge)
  if (course === "fails") failRefund(call, refund)
  if (course === "pending") {
    tellChange(call, call.books.put("refund", refund.id, { ...refund, status: "succeeded" }), refund)
  }
  return refund
}

/** The bank sends a refund back: the money is ours again. */
export const failRefund = (call: Call, before: Refund): Refund => {
  if (before.status === "failed") throw invalid("This refund has failed already.")
  const charge = chargeAt(call, before.charge)
  putCharge(call, { ...charge, amount_refunded: charge.amount_refunded - before.amount, refunded: false })
  const after = call.books.put("refund", before.id, {
    ...before,
    failure_reason: "expired_or_canceled_card",
    status: "failed"
  })
  emit(call, "refund.failed", after, before)
  tellChange(call, after, before)
  return after
}

const Changes = Schema.Struct({ metadata: key(metadata) })

const update = (call: Call, asked: typeof Changes.Type, id: string): Refund => {
  const before = refundAt(call, id)
  const after = call.books.put("refund", id, { ...before, metadata: metadataAfter(before.metadata, asked.metadata) })
  tellChange(call, after, before)
  return after
}

const Listed = Schema.Struct({ ...page, charge: key(text), created: key(created), payment_intent: key(text) })

const listed = ({ books }: Call, asked: typeof Listed.Type) => pageOf("/v1/refunds", books.all("refund"), asked)

/** Refunds: what was taken is given back, whole or in parts. */
export const refundRoutes = [
  route("POST", "/v1/refunds", New, create),
  route("GET", "/v1/refunds", Listed, listed),
  route("GET", "/v1/refunds/:id", Schema.Struct({}), (call, _, id) => refundAt(call, id)),
  route("POST", "/v1/refunds/:id", Changes, update)
]
