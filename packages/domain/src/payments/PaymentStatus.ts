import { Schema } from "effect"

/**
 * The status of a payment. `AUTHORIZED`: the money is held, to be captured or released. Partners may report the others
 * of a payment made outside the service.
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

/**
 * An operation at the gateway. `ABANDON` cancels an authorization of unknown outcome, so that the partner may repeat
 * it.
 */
export const PaymentOperation = Schema.Literals(["AUTHORIZE", "ABANDON", "CAPTURE", "RELEASE", "REFUND"])
export type PaymentOperation = typeof PaymentOperation.Type
