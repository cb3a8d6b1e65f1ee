import type { Call } from "./Call.ts"
import type { Chosen } from "./methodTypesOf.ts"
import type { NextAction } from "./NextAction.ts"
import type { MethodType } from "./PaymentMethod.ts"
import { invalid, type Reason, type Refusal, unknownObject } from "./Refusal.ts"

export type PaymentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "requires_capture"
  | "canceled"
  | "succeeded"

/** What is the same for all payment intents here. */
export const fixedOfPayments = {
  object: "payment_intent",
  amount_details: { tip: {} },
  application: null,
  application_fee_amount: null,
  confirmation_method: "automatic",
  customer_account: null,
  excluded_payment_method_types: null,
  livemode: false,
  managed_payments: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_record: null,
  processing: null,
  review: null,
  source: null,
  transfer_data: null,
  transfer_group: null
} as const

type Fixed = typeof fixedOfPayments

export interface PaymentIntent extends Fixed, Chosen {
  readonly id: string
  readonly amount: number
  readonly amount_capturable: number
  readonly amount_received: number
  readonly canceled_at: number | null
  readonly cancellation_reason: "abandoned" | "duplicate" | "expired" | "fraudulent" | "requested_by_customer" | null
  readonly capture_method: "automatic" | "automatic_async" | "manual"
  readonly client_secret: string
  readonly created: number
  readonly currency: string
  readonly customer: string | null
  readonly description: string | null
  readonly last_payment_error: Reason | null
  readonly latest_charge: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly next_action: NextAction | null
  readonly payment_method: string | null
  readonly payment_method_options: Readonly<Partial<Record<MethodType, object>>>
  readonly payment_method_types: ReadonlyArray<MethodType>
  readonly receipt_email: string | null
  readonly setup_future_usage: "off_session" | "on_session" | null
  readonly shipping: object | null
  readonly statement_descriptor: string | null
  readonly statement_descriptor_suffix: string | null
  readonly status: PaymentStatus
}

/** The payment intent of a path. */
export const paymentAt = ({ books }: Call, id: string): PaymentIntent => {
  const intent = books.get("payment_intent", id)
  if (intent === undefined) throw unknownObject("payment_intent", id)
  return intent
}

/** Stores an intent as it now is. */
export const putPayment = ({ books }: Call, intent: PaymentIntent): PaymentIntent =>
  books.put("payment_intent", intent.id, intent)

/** That an intent is past what is asked for. */
export const unexpectedPayment = (intent: PaymentIntent, what: string): Refusal =>
  invalid(`This PaymentIntent cannot be ${what} because it has a status of ${intent.status}.`, {
    code: "payment_intent_unexpected_state",
    payment_intent: intent
  })

const open: ReadonlyArray<PaymentStatus> = ["requires_payment_method", "requires_confirmation", "requires_action"]

/** Whether an intent may still be changed and confirmed. */
export const isOpen = ({ status }: PaymentIntent): boolean => open.includes(status)
