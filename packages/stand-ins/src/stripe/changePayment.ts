import { type Call, customerNamed } from "./Call.ts"
import { checkAmount, currencyOf } from "./currencies.ts"
import { isOpen } from "./intents.ts"
import { methodOf } from "./MethodData.ts"
import { allowedTypesOf, typesFor, typesOf } from "./methodTypesOf.ts"
import type { PaymentIntent } from "./objects.ts"
import { definedFields, metadataAfter } from "./params.ts"
import type { PaymentChangeParams } from "./paymentParams.ts"
import { unexpectedStatus } from "./Refusal.ts"

const plainFields = (params: PaymentChangeParams) =>
  definedFields({
    amount: params.amount,
    capture_method: params.capture_method,
    currency: params.currency && currencyOf(params.currency),
    description: params.description,
    receipt_email: params.receipt_email,
    statement_descriptor: params.statement_descriptor,
    statement_descriptor_suffix: params.statement_descriptor_suffix
  })

/** Returns an intent with the changes of a request. */
export const withChanges = (call: Call, before: PaymentIntent, params: PaymentChangeParams): PaymentIntent => {
  const { customer, metadata, setup_future_usage: usage, shipping } = params
  const allowed = allowedTypesOf(params, before)
  const after = {
    ...before,
    ...allowed,
    ...plainFields(params),
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
export const updatePayment = (call: Call, before: PaymentIntent, params: PaymentChangeParams): PaymentIntent => {
  const isAlways = Object.keys(params).every((name) => always.has(name))
  if (!isOpen(before) && !isAlways) throw unexpectedStatus(before, "updated")
  const method = methodOf(call, params)
  return call.ledger.put("payment_intent", before.id, {
    ...withChanges(call, before, params),
    ...(method && { next_action: null, payment_method: method.id, status: "requires_confirmation" })
  })
}
