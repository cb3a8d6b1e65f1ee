import { Schema } from "effect"
import { attach, useUp } from "./attachMethod.ts"
import { type Call, emit } from "./Call.ts"
import { type Customer, customerAt, type DeletedCustomer, shownCustomer } from "./Customer.ts"
import { newId } from "./ids.ts"
import { methodNamed } from "./PaymentMethod.ts"
import { pageOf } from "./pageOf.ts"
import {
  address,
  clearable,
  created,
  email,
  given,
  integer,
  list,
  metadata,
  metadataAfter,
  page,
  shipping,
  text,
  wholeAddress
} from "./params.ts"
import { unknownParameter } from "./Refusal.ts"
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
  id,
  object: "customer",
  address: null,
  balance: 0,
  created: now,
  currency: null,
  customer_account: null,
  default_source: null,
  delinquent: false,
  description: null,
  discount: null,
  email: null,
  invoice_prefix: id.slice(-8).toUpperCase(),
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: false,
  metadata: {},
  name: null,
  next_invoice_sequence: 1,
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
  ...given(rest),
  ...(address !== undefined && { address: address === "" ? null : wholeAddress(address) }),
  ...(shipping !== undefined && {
    shipping: shipping === "" ? null : { ...shipping, address: wholeAddress(shipping.address) }
  }),
  invoice_settings: { ...before.invoice_settings, ...invoice_settings },
  metadata: metadataAfter(before.metadata, metadata)
})

const create = (call: Call, { payment_method, test_clock, ...rest }: typeof New.Type): Customer => {
  const clock = test_clock === undefined ? undefined : call.books.get("test_clock", test_clock)
  if (test_clock !== undefined && clock === undefined) {
    throw unknownParameter("test_helpers.test_clock", test_clock, "test_clock")
  }
  const id = newId("cus", 14)
  const customer = changed(newCustomer(id, clock?.frozen_time ?? call.now, clock?.id ?? null), rest)
  call.books.put("customer", id, customer)
  emit(call, "customer.created", customer)
  if (payment_method !== undefined) attach(call, methodNamed(call, payment_method), id)
  return customer
}

const update = (call: Call, id: string, changes: typeof Changes.Type): Customer => {
  const before = customerAt(call, id)
  const after = call.books.put("customer", id, changed(before, changes))
  emit(call, "customer.updated", after, before)
  return after
}

// The methods that it had belong to nobody, and never will again.
const remove = (call: Call, id: string): DeletedCustomer => {
  const customer = customerAt(call, id)
  for (const method of call.books.all("payment_method")) {
    if (method.customer === id) useUp(call, call.books.put("payment_method", method.id, { ...method, customer: null }))
  }
  call.books.remove("customer", id)
  emit(call, "customer.deleted", customer)
  return call.books.put("deleted_customer", id, { id, object: "customer", deleted: true })
}

const Listed = Schema.Struct({ ...page, created: key(created), email: key(text), test_clock: key(text) })

const listed = ({ books }: Call, asked: typeof Listed.Type) => pageOf("/v1/customers", books.all("customer"), asked)

/** Customers: who pays, with an email of which there may be several. */
export const customerRoutes = [
  route("POST", "/v1/customers", New, create),
  route("GET", "/v1/customers", Listed, listed),
  route("GET", "/v1/customers/:id", Schema.Struct({}), (call, _, id) => shownCustomer(call, id)),
  route("DELETE", "/v1/customers/:id", Schema.Struct({}), (call, _, id) => remove(call, id)),
  route("POST", "/v1/customers/:id", Changes, (call, changes, id) => update(call, id, changes))
]
