import { Schema } from "effect"

/**
 * An operation at the gateway. `ABANDON` cancels an authorization of unknown outcome, so that the partner may repeat
 * it.
 */
export const PaymentOperation = Schema.Literals(["AUTHORIZE", "ABANDON", "CAPTURE", "RELEASE", "REFUND"])
export type PaymentOperation = typeof PaymentOperation.Type
