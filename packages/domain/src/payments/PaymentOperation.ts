import { Schema } from "effect"

/**
 * What the gateway is asked to do with a payment. `ABANDON`: an authorization of which nobody knew what became is called off,
 * so that the partner may ask for it again.
 */
export const PaymentOperation = Schema.Literals(["AUTHORIZE", "ABANDON", "CAPTURE", "RELEASE", "REFUND"])
export type PaymentOperation = typeof PaymentOperation.Type
