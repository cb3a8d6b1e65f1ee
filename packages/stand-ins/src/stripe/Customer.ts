import type { Call } from "./Call.ts"
import { unknownObject, unknownParameter } from "./Refusal.ts"

interface Address {
  readonly city: string | null
  readonly country: string | null
  readonly line1: string | null
  readonly line2: string | null
  readonly postal_code: string | null
  readonly state: string | null
}

export interface Customer {
  readonly id: string
  readonly object: "customer"
  readonly address: Address | null
  readonly balance: number
  readonly created: number
  readonly currency: null
  readonly customer_account: null
  readonly default_source: null
  readonly delinquent: false
  readonly description: string | null
  readonly discount: null
  readonly email: string | null
  readonly invoice_prefix: string
  readonly invoice_settings: {
    readonly custom_fields: null
    readonly default_payment_method: string | null
    readonly footer: null
    readonly rendering_options: null
  }
  readonly livemode: false
  readonly metadata: Readonly<Record<string, string>>
  readonly name: string | null
  readonly next_invoice_sequence: number
  readonly phone: string | null
  readonly preferred_locales: ReadonlyArray<string>
  readonly shipping: object | null
  readonly tax_exempt: "exempt" | "none" | "reverse"
  readonly test_clock: string | null
}

/** What is left of a customer who was deleted. */
export interface DeletedCustomer {
  readonly id: string
  readonly object: "customer"
  readonly deleted: true
}

/** The customer of a path. */
export const customerAt = ({ books }: Pick<Call, "books">, id: string): Customer => {
  const customer = books.get("customer", id)
  if (customer === undefined) throw unknownObject("customer", id)
  return customer
}

/** A customer who is named among parameters, or nobody. */
export const customerNamed = ({ books }: Pick<Call, "books">, id: string | null | undefined): string | null => {
  if (id === undefined || id === null) return null
  if (books.get("customer", id) === undefined) throw unknownParameter("customer", id, "customer")
  return id
}

/** What is shown of the customer of a path: of one who was deleted, a trace. */
export const shownCustomer = (call: Pick<Call, "books">, id: string): Customer | DeletedCustomer =>
  call.books.get("deleted_customer", id) ?? customerAt(call, id)
