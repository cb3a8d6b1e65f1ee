import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"

/** The reference of a payment at the gateway. */
export const ProviderReference = Schema.Struct({
  type: Schema.Literals(["SETUP_INTENT", "PAYMENT_INTENT", "PAYMENT_TOKEN"]),
  id: textUpTo(lengths.reference)
})
export type ProviderReference = typeof ProviderReference.Type
