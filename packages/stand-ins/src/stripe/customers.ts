import { Schema } from "effect"
import { attach, useUp } from "./attachMethod.ts"
import { type Call, emit, putWithEvent } from "./Call.ts"
import { customerConstants } from "./constantFields.ts"
import { newId } from "./ids.ts"
import type { Customer, DeletedCustomer } from "./objects.ts"
import { methodNamed } from "./PaymentMethod.ts"
import { listRoute } from "./pageOf.ts"
import {
  address,
  clearable,
  created,
  definedFields,
  email,
  integer,
  list,
  metadata,
  metadataAfter,
  page,
  shipping,
  text,
  wholeAddress
} from "./params.ts"
import { route } from "./route.ts"

const key = Schema.optionalKey

const fields = {
  address: key(Schema.Union([Schema.Literal(""), address])),
  balance: key(integer),
  description: key(clearable),
  email: key(email),
  invoice_settings: key(Schema.Struct({ default_payment_method: key(clearable) })),
  metadata: key(metadata),
  name: key(clearable),
  phone: key(clearable),
  preferred_locales: key(list(text)),
  shipping: key(Schema.Union([Schema.Literal(""), shipping])),
  tax_exempt: key(Schema.Literals(["none", "exempt", "reverse"]))
}

const Changes = Schema.Struct(fields)
const New = Schema.Struct({ ...fields, payment_method: key(text), test_clock: key(text) })

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

const Listed = Schema.Struct({ ...page, created: key(created), email: key(text), test_clock: key(text) })

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
