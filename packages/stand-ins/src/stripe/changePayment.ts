import { type Call, customerNamed } from "./Call.ts"
import { checkAmount, currencyOf } from "./currencies.ts"
import { isOpen } from "./intents.ts"
import { methodOf } from "./MethodData.ts"
import { allowedTypesOf, typesOf } from "./methodTypesOf.ts"
import type { PaymentIntent } from "./objects.ts"
import { given, metadataAfter } from "./params.ts"
import { typesFor } from "./payLater.ts"
import type { PaymentChanges } from "./paymentParams.ts"
import { unexpectedStatus } from "./Refusal.ts"

const plain = (asked: PaymentChanges) =>
  given({
    amount: asked.amount,
    capture_method: asked.capture_method,
    currency: asked.currency && currencyOf(asked.currency),
    description: asked.description,
    receipt_email: asked.receipt_email,
    statement_descriptor: asked.statement_descriptor,
    statement_descriptor_suffix: asked.statement_descriptor_suffix
  })

/** Returns an intent with the changes of a request. */
export const changed = (call: Call, before: PaymentIntent, asked: PaymentChanges): PaymentIntent => {
  const { customer, metadata, setup_future_usage: usage, shipping } = asked
  const allowed = allowedTypesOf(asked, before)
  const after = {
    ...before,
    ...allowed,
    ...plain(asked),
    ...(customer !== undefined && { customer: customerNamed(call, customer) }),
    ...(usage !== undefined && { setup_future_usage: usage === "" ? null : usage }),
    ...(shipping !== undefined && { shipping: shipping === "" ? null : shipping }),
    metadata: metadataAfter(before.metadata, metadata)
  }
  checkAmount(after.amount, after.currency)
  return { ...after, payment_method_types: typesOf(allowed, typesFor(after.amount, after.currency)) }
}

// The fields that may change after an intent's confirmation.
const always = new Set(["description", "metadata", "receipt_email"])

/** Changes an intent; a new payment method waits for its confirmation. */
export const updatePayment = (call: Call, before: PaymentIntent, asked: PaymentChanges): PaymentIntent => {
  const isAlways = Object.keys(asked).every((name) => always.has(name))
  if (!isOpen(before) && !isAlways) throw unexpectedStatus(before, "updated")
  const method = methodOf(call, asked)
  return call.ledger.put("payment_intent", before.id, {
    ...changed(call, before, asked),
    ...(method && { next_action: null, payment_method: method.id, status: "requires_confirmation" })
  })
}
