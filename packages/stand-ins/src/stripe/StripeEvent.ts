import type { Stripe } from "stripe"

/** Something that happened, as it was then. */
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

/** What an event may be about. */
export interface EventObject {
  readonly id: string
  readonly object: string
}
