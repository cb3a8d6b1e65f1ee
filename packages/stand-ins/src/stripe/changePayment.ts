import type { Call } from "./Call.ts"
import { customerNamed } from "./Customer.ts"
import { checkAmount, currencyOf } from "./currencies.ts"
import { methodOf } from "./MethodData.ts"
import { chosenOf, typesOf } from "./methodTypesOf.ts"
import { isOpen, type PaymentIntent, putPayment, unexpectedPayment } from "./PaymentIntent.ts"
import { given, metadataAfter } from "./params.ts"
import { typesFor } from "./payLater.ts"
import type { PaymentChanges } from "./paymentParams.ts"

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

/** An intent as a request has it. */
export const changed = (call: Call, before: PaymentIntent, asked: PaymentChanges): PaymentIntent => {
  const { customer, metadata, setup_future_usage: usage, shipping } = asked
  const chosen = chosenOf(asked, before)
  const after = {
    ...before,
    ...chosen,
    ...plain(asked),
    ...(customer !== undefined && { customer: customerNamed(call, customer) }),
    ...(usage !== undefined && { setup_future_usage: usage === "" ? null : usage }),
    ...(shipping !== undefined && { shipping: shipping === "" ? null : shipping }),
    metadata: metadataAfter(before.metadata, metadata)
  }
  checkAmount(after.amount, after.currency)
  return { ...after, payment_method_types: typesOf(chosen, typesFor(after.amount, after.currency)) }
}

// What may still be changed when an intent is past its confirmation.
const always = new Set(["description", "metadata", "receipt_email"])

/** Changes an intent; a new method waits for its confirmation. */
export const updatePayment = (call: Call, before: PaymentIntent, asked: PaymentChanges): PaymentIntent => {
  const isAlways = Object.keys(asked).every((name) => always.has(name))
  if (!isOpen(before) && !isAlways) throw unexpectedPayment(before, "updated")
  const method = methodOf(call, asked)
  const after = changed(call, before, asked)
  if (method === undefined) return putPayment(call, after)
  return putPayment(call, {
    ...after,
    next_action: null,
    payment_method: method.id,
    status: "requires_confirmation"
  })
}
