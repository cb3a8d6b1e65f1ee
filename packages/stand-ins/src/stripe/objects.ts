import type { Stripe } from "stripe"
import type {
  chargeConstants,
  customerConstants,
  disputeConstants,
  paymentIntentConstants,
  refundConstants,
  setupIntentConstants
} from "./constantFields.ts"

/** The payment methods whose customer agrees at the lender's page. */
export const payLaterTypes = ["klarna", "affirm", "afterpay_clearpay"] as const

export const methodTypes = ["card", ...payLaterTypes] as const
export type MethodType = (typeof methodTypes)[number]

/** An inquiry (`warning_...`) withdraws no money, and may become a dispute. */
export const disputeStatuses = [
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "needs_response",
  "under_review",
  "won",
  "lost"
] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

type Texts<Name extends string> = { readonly [N in Name]: string | null }

type Metadata = { readonly metadata: Readonly<Record<string, string>> }

type Address = Texts<"city" | "country" | "line1" | "line2" | "postal_code" | "state">

export type BillingDetails = Texts<"email" | "name" | "phone"> & { readonly address: Address; readonly tax_id: null }

export interface Card {
  readonly brand: string
  readonly checks: object
  readonly country: string
  readonly display_brand: string
  readonly exp_month: number
  readonly exp_year: number
  readonly fingerprint: string
  readonly funding: "credit" | "debit" | "prepaid"
  readonly generated_from: null
  readonly last4: string
  readonly networks: object
  readonly regulated_status: string
  readonly three_d_secure_usage: object
  readonly wallet: null
}

export interface PaymentMethod extends Metadata {
  readonly id: string
  readonly object: "payment_method"
  readonly allow_redisplay: "unspecified"
  readonly billing_details: BillingDetails
  readonly card?: Card
  readonly klarna?: object
  readonly affirm?: object
  readonly afterpay_clearpay?: object
  readonly created: number
  readonly customer: string | null
  readonly customer_account: null
  readonly livemode: false
  readonly type: MethodType
}

/** Why a request failed. An intent keeps the reason of its last failure. */
export interface Reason {
  readonly type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error"
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
  readonly charge?: string
  readonly payment_method?: PaymentMethod
}

/** What a customer has to do before an intent goes on. */
export type NextAction =
  | {
      readonly type: "redirect_to_url"
      readonly redirect_to_url: { readonly return_url: string; readonly url: string }
    }
  | { readonly type: "use_stripe_sdk"; readonly use_stripe_sdk: object }

/** The types of payment methods that the requests for an intent allow. */
export interface AllowedTypes {
  readonly allowed_payment_method_types: ReadonlyArray<MethodType> | null
  readonly automatic_payment_methods: { readonly enabled: true; readonly allow_redirects: "always" | "never" } | null
}

interface Intent extends AllowedTypes, Metadata {
  readonly id: string
  readonly client_secret: string
  readonly created: number
  readonly customer: string | null
  readonly description: string | null
  readonly next_action: NextAction | null
  readonly payment_method: string | null
  readonly payment_method_types: ReadonlyArray<MethodType>
}

type OpenStatus = "requires_payment_method" | "requires_confirmation" | "requires_action"

export type PaymentIntent = typeof paymentIntentConstants &
  Intent &
  Texts<"latest_charge" | "receipt_email" | "statement_descriptor" | "statement_descriptor_suffix"> & {
    readonly amount: number
    readonly amount_capturable: number
    readonly amount_received: number
    readonly canceled_at: number | null
    readonly cancellation_reason: "abandoned" | "duplicate" | "expired" | "fraudulent" | "requested_by_customer" | null
    readonly capture_method: "automatic" | "automatic_async" | "manual"
    readonly currency: string
    readonly last_payment_error: Reason | null
    readonly payment_method_options: Readonly<Partial<Record<MethodType, object>>>
    readonly setup_future_usage: "off_session" | "on_session" | null
    readonly shipping: object | null
    readonly status: OpenStatus | "processing" | "requires_capture" | "canceled" | "succeeded"
  }

export type SetupIntent = typeof setupIntentConstants &
  Intent & {
    readonly cancellation_reason: "abandoned" | "duplicate" | "requested_by_customer" | null
    readonly last_setup_error: Reason | null
    readonly latest_attempt: string | null
    readonly payment_method_options: object
    readonly status: OpenStatus | "canceled" | "succeeded"
    readonly usage: "off_session" | "on_session"
  }

export type Charge = typeof chargeConstants &
  Metadata &
  Texts<"balance_transaction" | "customer" | "description" | "failure_code" | "failure_message"> &
  Texts<"receipt_email" | "receipt_url" | "statement_descriptor" | "statement_descriptor_suffix"> & {
    readonly id: string
    readonly amount: number
    readonly amount_captured: number
    readonly amount_refunded: number
    readonly billing_details: BillingDetails
    readonly captured: boolean
    readonly created: number
    readonly currency: string
    readonly disputed: boolean
    readonly outcome: object
    readonly paid: boolean
    readonly payment_intent: string
    readonly payment_method: string
    readonly payment_method_details: { readonly type: string; readonly card?: { readonly capture_before?: number } }
    readonly refunded: boolean
    readonly shipping: object | null
    readonly status: "failed" | "pending" | "succeeded"
  }

export type Customer = typeof customerConstants &
  Metadata &
  Texts<"description" | "email" | "name" | "phone" | "test_clock"> & {
    readonly id: string
    readonly address: Address | null
    readonly balance: number
    readonly created: number
    readonly invoice_prefix: string
    readonly invoice_settings: Texts<"default_payment_method"> & {
      readonly custom_fields: null
      readonly footer: null
      readonly rendering_options: null
    }
    readonly preferred_locales: ReadonlyArray<string>
    readonly shipping: object | null
    readonly tax_exempt: "exempt" | "none" | "reverse"
  }

/** The answer for a customer who was deleted. */
export interface DeletedCustomer {
  readonly id: string
  readonly object: "customer"
  readonly deleted: true
}

export type Dispute = typeof disputeConstants &
  Metadata & {
    readonly id: string
    readonly amount: number
    readonly charge: string
    readonly created: number
    readonly currency: string
    readonly evidence: Readonly<Record<string, string | object | null>>
    readonly evidence_details: object
    readonly is_charge_refundable: boolean
    readonly payment_intent: string
    readonly reason: string
    readonly status: DisputeStatus
  }

export type Refund = typeof refundConstants &
  Metadata & {
    readonly id: string
    readonly amount: number
    readonly balance_transaction: string | null
    readonly charge: string
    readonly created: number
    readonly currency: string
    readonly customer: string | null
    readonly failure_reason?: string
    readonly payment_intent: string
    readonly payment_method: string
    readonly reason: "duplicate" | "fraudulent" | "requested_by_customer" | null
    readonly status: "pending" | "succeeded" | "failed" | "canceled"
  }

export interface TestClock {
  readonly id: string
  readonly object: "test_helpers.test_clock"
  readonly created: number
  readonly deletes_after: number
  readonly frozen_time: number
  readonly livemode: false
  readonly name: string | null
  readonly status: "advancing" | "ready"
  readonly status_details: object
}

/** An object that an event may be of. */
export interface EventObject {
  readonly id: string
  readonly object: string
}

/** An event, with its object as it was then. */
export interface StripeEvent {
  readonly id: string
  readonly object: "event"
  readonly api_version: string
  readonly created: number
  readonly data: { readonly object: EventObject; readonly previous_attributes?: Readonly<Record<string, unknown>> }
  readonly livemode: false
  readonly pending_webhooks: number
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null }
  readonly type: Stripe.Event["type"]
}
