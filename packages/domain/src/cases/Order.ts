import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { KnownAddress } from "../http/KnownAddress.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { WebUrl } from "../http/WebUrl.ts"
import { CaseId } from "../Ids.ts"

export const OrderStatus = Schema.Literals(["PENDING", "SUBMITTED", "SHIPPED", "DELIVERED", "CANCELED", "ERROR"])
export type OrderStatus = typeof OrderStatus.Type

/** An entry of an order's shipping log. */
export const ShippingLog = Schema.Struct({
  statusUpdatedAt: Timestamp,
  location: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  status: Schema.NullOr(Schema.String)
})
export type ShippingLog = typeof ShippingLog.Type

/** A medication order of the case detail. */
export const Order = Schema.Struct({
  id: Schema.String,
  externalId: Schema.String,
  /** Empty until the pharmacy assigns it. */
  pharmacyOrderId: Schema.String,
  trackingId: Schema.NullOr(Schema.String),
  status: OrderStatus,
  message: Schema.NullOr(Schema.String),
  pharmacyName: Schema.String,
  createdAt: Timestamp,
  items: Schema.Array(Schema.Struct({ name: Schema.String, quantity: Schema.String })),
  replacementReason: Schema.NullOr(Schema.String),
  shippingLogs: Schema.Array(ShippingLog),
  estDeliveryAt: Schema.NullOr(Timestamp),
  trackingUrl: Schema.NullOr(Schema.String),
  carrierName: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Order" })
export type Order = typeof Order.Type

/** An order as the back office reads it. */
export const AdminOrder = Schema.Struct({
  ...Order.fields,
  caseId: CaseId,
  shippingAddress: KnownAddress
}).annotate({ identifier: "AdminOrder" })
export type AdminOrder = typeof AdminOrder.Type

const reference = Schema.optional(nonBlankUpTo(lengths.reference))

/**
 * The fields of an order that may change, with the given kind of texts. Absent fields stay; the entry is added to the
 * shipping log.
 */
export const orderUpdateIn = <Text extends Schema.Top>(text: (length: number) => Text) => ({
  pharmacyOrderId: reference,
  trackingId: reference,
  trackingUrl: Schema.optional(WebUrl),
  carrierName: Schema.optional(text(lengths.name)),
  estDeliveryAt: Schema.optional(Timestamp),
  message: Schema.optional(text(lengths.paragraph)),
  replacementReason: Schema.optional(text(lengths.paragraph)),
  shippingLog: Schema.optional(
    Schema.Struct({
      /** Now, when absent. */
      statusUpdatedAt: Schema.optional(Timestamp),
      location: Schema.optional(text(lengths.line)),
      message: Schema.optional(text(lengths.paragraph)),
      status: Schema.optional(text(lengths.name))
    })
  )
})

/** A change of an order by the back office. */
export const OrderChange = Schema.Struct({ status: Schema.optional(OrderStatus), ...orderUpdateIn(nonBlankUpTo) })
  .check(
    Schema.makeFilter((change) =>
      Object.values(change).some((value) => value !== undefined)
        ? undefined
        : [{ path: ["status"], issue: "status or another field is required" }]
    )
  )
  .annotate({ identifier: "OrderChange" })
export type OrderChange = typeof OrderChange.Type
