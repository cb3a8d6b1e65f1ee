import { type Call, nowOf } from "./Call.ts"
import { detailsOf, outcomeOf } from "./chargeDetails.ts"
import { newId } from "./ids.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import type { BillingDetails, PaymentMethod } from "./PaymentMethod.ts"
import { unknownObject } from "./Refusal.ts"
import type { Decline } from "./testCards.ts"

/** What is the same for all charges here. */
const fixed = {
  object: "charge",
  application: null,
  application_fee: null,
  application_fee_amount: null,
  calculated_statement_descriptor: "CARE SANDBOX",
  failure_balance_transaction: null,
  fraud_details: {},
  livemode: false,
  on_behalf_of: null,
  radar_options: {},
  receipt_number: null,
  review: null,
  source: null,
  source_transfer: null,
  transfer_data: null,
  transfer_group: null
} as const

type Fixed = typeof fixed

export interface Charge extends Fixed {
  readonly id: string
  readonly amount: number
  readonly amount_captured: number
  readonly amount_refunded: number
  readonly balance_transaction: string | null
  readonly billing_details: BillingDetails
  readonly captured: boolean
  readonly created: number
  readonly currency: string
  readonly customer: string | null
  readonly description: string | null
  readonly disputed: boolean
  readonly failure_code: string | null
  readonly failure_message: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly outcome: object
  readonly paid: boolean
  readonly payment_intent: string
  readonly payment_method: string
  readonly payment_method_details: { readonly type: string; readonly card?: { readonly capture_before?: number } }
  readonly receipt_email: string | null
  readonly receipt_url: string | null
  readonly refunded: boolean
  readonly shipping: object | null
  readonly statement_descriptor: string | null
  readonly statement_descriptor_suffix: string | null
  readonly status: "failed" | "pending" | "succeeded"
}

/** Charges an intent's amount to a method, with the customer there or not: taken, held, or declined. */
export const newCharge = (
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  isOffSession: boolean,
  decline?: Decline
): Charge => {
  const id = newId("ch")
  const now = nowOf(call, intent.customer)
  const isPaid = decline === undefined
  const isCaptured = isPaid && intent.capture_method !== "manual"
  return {
    ...fixed,
    id,
    amount: intent.amount,
    amount_captured: isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: null,
    billing_details: method.billing_details,
    captured: isCaptured,
    created: now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    metadata: intent.metadata,
    outcome: outcomeOf(decline),
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method, intent, now, isOffSession),
    receipt_email: intent.receipt_email,
    receipt_url: isPaid ? `${call.url}/receipts/${id}` : null,
    refunded: false,
    shipping: intent.shipping,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: isPaid ? "succeeded" : "failed"
  }
}

/** The charge of a path. */
export const chargeAt = ({ books }: Call, id: string): Charge => {
  const charge = books.get("charge", id)
  if (charge === undefined) throw unknownObject("charge", id)
  return charge
}

/** Stores a charge as it now is. */
export const putCharge = ({ books }: Call, charge: Charge): Charge => books.put("charge", charge.id, charge)
