import { Schema } from "effect"
import { PaymentId } from "../Ids.ts"
import { ProviderReference } from "./ProviderReference.ts"

/** No payment has this id. */
export class PaymentNotFound extends Schema.TaggedError<PaymentNotFound>()("PaymentNotFound", {
  paymentId: PaymentId
}) {}

/** What a payment refers to is not known to the gateway, is not confirmed, or is of another payment. `reason` says which. */
export class ReferenceRefused extends Schema.TaggedError<ReferenceRefused>()("ReferenceRefused", {
  type: ProviderReference.fields.type,
  reason: Schema.String
}) {}
