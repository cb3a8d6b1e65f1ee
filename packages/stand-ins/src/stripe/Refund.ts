import type { Call } from "./Call.ts"
import { type Charge, putCharge } from "./Charge.ts"
import { newId } from "./ids.ts"
import { unknownObject } from "./Refusal.ts"

export interface Refund {
  readonly id: string
  readonly object: "refund"
  readonly amount: number
  readonly balance_transaction: string | null
  readonly charge: string
  readonly created: number
  readonly currency: string
  readonly customer: string | null
  readonly customer_account: null
  readonly destination_details: object
  readonly failure_reason?: string
  readonly metadata: Readonly<Record<string, string>>
  readonly payment_intent: string
  readonly payment_method: string
  readonly reason: "duplicate" | "fraudulent" | "requested_by_customer" | null
  readonly receipt_number: null
  readonly source_transfer_reversal: null
  readonly status: "pending" | "succeeded" | "failed" | "canceled"
  readonly transfer_reversal: null
}

/** The refund of a path. */
export const refundAt = ({ books }: Call, id: string): Refund => {
  const refund = books.get("refund", id)
  if (refund === undefined) throw unknownObject("refund", id)
  return refund
}

/** A refund of a part of a charge, which counts as refunded. */
export const newRefund = (
  call: Call,
  charge: Charge,
  amount: number,
  more: Partial<Pick<Refund, "reason" | "metadata" | "status">> = {}
): Refund => {
  const id = newId("re")
  const refunded = charge.amount_refunded + amount
  putCharge(call, { ...charge, amount_refunded: refunded, refunded: refunded >= charge.amount_captured })
  return call.books.put("refund", id, {
    id,
    object: "refund",
    amount,
    balance_transaction: newId("txn"),
    charge: charge.id,
    created: call.now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: { card: { type: "refund" }, type: "card" },
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
    ...more
  })
}
