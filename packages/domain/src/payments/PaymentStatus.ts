import { Schema } from "effect"

/**
 * Where a payment stands. `AUTHORIZED`: the money is held, to be captured or released. The others are those that a partner
 * may tell of a payment made outside the service.
 */
export const PaymentStatus = Schema.Literals([
  "UNPAID",
  "AUTHORIZED",
  "PAID",
  "CANCELED",
  "IN_DISPUTE",
  "LOST_DISPUTE",
  "REFUND",
  "ERROR"
])
export type PaymentStatus = typeof PaymentStatus.Type
