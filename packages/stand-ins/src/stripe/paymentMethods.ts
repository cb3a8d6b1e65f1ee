import { Schema } from "effect"
import { attach, useUp } from "./attachMethod.ts"
import { type Call, customerNamed, putWithEvent } from "./Call.ts"
import { listPage } from "./listPage.ts"
import { Billing, billingOf, MethodData, makeMethod } from "./MethodData.ts"
import { methodTypes, type PaymentMethod } from "./objects.ts"
import { methodAt } from "./PaymentMethod.ts"
import { integer, metadata, metadataAfter, optional, page, text } from "./params.ts"
import { invalid } from "./Refusal.ts"
import { route } from "./route.ts"

const Changes = Schema.Struct({
  billing_details: optional(Billing),
  metadata: optional(metadata),
  card: optional(Schema.Struct({ exp_month: optional(integer), exp_year: optional(integer) }))
})

const update = (call: Call, { billing_details, card, metadata }: typeof Changes.Type, id: string): PaymentMethod => {
  const before = methodAt(call, id)
  const after = {
    ...before,
    billing_details: { ...before.billing_details, ...billingOf(billing_details) },
    ...(before.card && { card: { ...before.card, ...card } }),
    metadata: metadataAfter(before.metadata, metadata)
  }
  return putWithEvent(call, "payment_method", "payment_method.updated", after, before)
}

const detach = (call: Call, id: string): PaymentMethod => {
  const before = methodAt(call, id)
  if (before.customer === null) throw invalid("The payment method is attached to no customer.")
  useUp(call, before)
  return putWithEvent(call, "payment_method", "payment_method.detached", { ...before, customer: null }, before)
}

const Listed = Schema.Struct({ ...page, customer: optional(text), type: optional(Schema.Literals(methodTypes)) })

const listed = ({ ledger }: Call, query: typeof Listed.Type, url = "/v1/payment_methods") =>
  listPage(url, query.customer === undefined ? [] : ledger.all("payment_method"), query)

/** The routes of payment methods. */
export const paymentMethodRoutes = [
  route("POST", "/v1/payment_methods", MethodData, makeMethod),
  route("GET", "/v1/payment_methods", Listed, (call, query) => {
    customerNamed(call, query.customer)
    return listed(call, query)
  }),
  route("GET", "/v1/payment_methods/:id", Schema.Struct({}), (call, _, id) => methodAt(call, id)),
  route("POST", "/v1/payment_methods/:id", Changes, update),
  route("POST", "/v1/payment_methods/:id/attach", Schema.Struct({ customer: text }), (call, { customer }, id) => {
    customerNamed(call, customer)
    return attach(call, methodAt(call, id), customer)
  }),
  route("POST", "/v1/payment_methods/:id/detach", Schema.Struct({}), (call, _, id) => detach(call, id)),
  route(
    "GET",
    "/v1/customers/:id/payment_methods",
    Schema.Struct({ ...page, type: optional(Schema.Literals(methodTypes)) }),
    (call, query, id) =>
      listed(call, { ...query, customer: call.ledger.at("customer", id).id }, `/v1/customers/${id}/payment_methods`)
  )
]
