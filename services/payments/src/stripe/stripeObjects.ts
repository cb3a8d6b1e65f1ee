import { Schema } from "effect"

// The parts of Stripe's objects that are read. Events may have fewer fields than responses, depending on the version of the API.

const text = Schema.optional(Schema.NullOr(Schema.String))
const units = Schema.optional(Schema.NullOr(Schema.Int))
const flag = Schema.optional(Schema.NullOr(Schema.Boolean))
const metadata = Schema.optional(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))
// The id, or the object if it was expanded.
const payment_intent = Schema.optional(
  Schema.NullOr(Schema.Union([Schema.String, Schema.Struct({ id: Schema.String })]))
)

export const StripeIntent = Schema.Struct({
  id: Schema.String,
  status: text,
  amount: units,
  amount_received: units,
  currency: text,
  metadata
})
export type StripeIntent = typeof StripeIntent.Type

export const StripeCharge = Schema.Struct({
  payment_intent,
  status: text,
  captured: flag,
  refunded: flag,
  amount_captured: units,
  amount_refunded: units,
  payment_method_details: Schema.optional(
    Schema.NullOr(Schema.Struct({ card: Schema.optional(Schema.NullOr(Schema.Struct({ capture_before: units }))) }))
  ),
  metadata
})
export type StripeCharge = typeof StripeCharge.Type

export const StripeRefund = Schema.Struct({
  id: Schema.String,
  payment_intent,
  status: text,
  amount: units
})
export type StripeRefund = typeof StripeRefund.Type

export const StripeDispute = Schema.Struct({ id: Schema.String, payment_intent, status: text })
export type StripeDispute = typeof StripeDispute.Type
