import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"

/** Where an order stands. */
export const OrderStatus = Schema.Literals(["PENDING", "SUBMITTED", "SHIPPED", "DELIVERED", "CANCELED", "ERROR"])
export type OrderStatus = typeof OrderStatus.Type

// One entry of an order's way to the patient.
const ShippingLog = Schema.Struct({
  statusUpdatedAt: Timestamp,
  location: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  status: Schema.NullOr(Schema.String)
})

/** A medication order as case detail shows it. */
export const Order = Schema.Struct({
  id: Schema.String,
  externalId: Schema.String,
  pharmacyOrderId: Schema.NullOr(Schema.String),
  trackingId: Schema.NullOr(Schema.String),
  status: OrderStatus,
  message: Schema.NullOr(Schema.String),
  pharmacyName: Schema.NullOr(Schema.String),
  createdAt: Timestamp,
  items: Schema.Array(Schema.Struct({ name: Schema.String, quantity: Schema.String })),
  replacementReason: Schema.NullOr(Schema.String),
  shippingLogs: Schema.Array(ShippingLog),
  estDeliveryAt: Schema.NullOr(Timestamp),
  trackingUrl: Schema.NullOr(Schema.String),
  carrierName: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Order" })
export type Order = typeof Order.Type
