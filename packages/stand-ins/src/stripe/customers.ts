import { Schema } from "effect"
import { attach, useUp } from "./attachMethod.ts"
import { type Call, emit, putWithEvent } from "./Call.ts"
import { customerConstants } from "./constantFields.ts"
import { newId } from "./ids.ts"
import { listRoute } from "./listPage.ts"
import type { Customer, DeletedCustomer } from "./objects.ts"
import { methodNamed } from "./PaymentMethod.ts"
import {
  address,
  clearable,
  createdFilter,
  definedFields,
  email,
  integer,
  list,
  metadata,
  metadataAfter,
  optional,
  page,
  shipping,
  text,
  wholeAddress
} from "./params.ts"
import { route } from "./route.ts"

const fields = {
  address: optional(Schema.Union([Schema.Literal(""), address])),
  balance: optional(integer),
  description: optional(clearable),
  email: optional(email),
  invoice_settings: optional(Schema.Struct({ default_payment_method: optional(clearable) })),
  metadata: optional(metadata),
  name: optional(clearable),
  phone: optional(clearable),
  preferred_locales: optional(list(text)),
  shipping: optional(Schema.Union([Schema.Literal(""), shipping])),
  tax_exempt: optional(Schema.Literals(["none", "exempt", "reverse"]))
}

const Changes = Schema.Struct(fields)
const New = Schema.Struct({ ...fields, payment_method: optional(text), test_clock: optional(text) })

const newCustomer = (id: string, now: number, testClock: string | null): Customer => ({
  ...customerConstants,
  id,
  address: null,
  balance: 0,
  created: now,
  description: null,
  email: null,
  invoice_prefix: id.slice(-8).toUpperCase(),
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  metadata: {},
  name: null,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: "none",
  test_clock: testClock
})

const changed = (
  before: Customer,
  { address, invoice_settings, metadata, shipping, ...rest }: typeof Changes.Type
): Customer => ({
  ...before,
  ...definedFields(rest),
  ...(address !== undefined && { address: address === "" ? null : wholeAddress(address) }),
  ...(shipping !== undefined && {
    shipping: shipping === "" ? null : { ...shipping, address: wholeAddress(shipping.address) }
  }),
  invoice_settings: { ...before.invoice_settings, ...invoice_settings },
  metadata: metadataAfter(before.metadata, metadata)
})

const create = (call: Call, { payment_method, test_clock, ...rest }: typeof New.Type): Customer => {
  const clock = test_clock === undefined ? undefined : call.ledger.named("test_clock", test_clock)
  const id = newId("cus", 14)
  const customer = changed(newCustomer(id, clock?.frozen_time ?? call.now, clock?.id ?? null), rest)
  putWithEvent(call, "customer", "customer.created", customer)
  if (payment_method !== undefined) attach(call, methodNamed(call, payment_method), id)
  return customer
}

const update = (call: Call, changes: typeof Changes.Type, id: string): Customer => {
  const before = call.ledger.at("customer", id)
  return putWithEvent(call, "customer", "customer.updated", changed(before, changes), before)
}

// The payment methods of a deleted customer cannot be used again.
const remove = (call: Call, id: string): DeletedCustomer => {
  const customer = call.ledger.at("customer", id)
  for (const method of call.ledger.all("payment_method")) {
    if (method.customer === id) useUp(call, call.ledger.put("payment_method", method.id, { ...method, customer: null }))
  }
  call.ledger.remove("customer", id)
  emit(call, "customer.deleted", customer)
  return call.ledger.put("deleted_customer", id, { id, object: "customer", deleted: true })
}

const Listed = Schema.Struct({
  ...page,
  created: optional(createdFilter),
  email: optional(text),
  test_clock: optional(text)
})

/** The routes of customers. Several may have the same email. */
export const customerRoutes = [
  route("POST", "/v1/customers", New, create),
  listRoute("customer", "/v1/customers", Listed),
  route(
    "GET",
    "/v1/customers/:id",
    Schema.Struct({}),
    ({ ledger }, _, id) => ledger.get("deleted_customer", id) ?? ledger.at("customer", id)
  ),
  route("DELETE", "/v1/customers/:id", Schema.Struct({}), (call, _, id) => remove(call, id)),
  route("POST", "/v1/customers/:id", Changes, update)
]
