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

/** The gateway knows no setup intent by this id, or only one that is another organization's. */
export class SetupUnknown extends Schema.TaggedError<SetupUnknown>()("SetupUnknown", { setupId: Schema.String }) {
  get text(): string {
    return `No setup intent exists for the id ${this.setupId}`
  }
}

/** Nobody has confirmed the setup intent yet, so it has no payment method. */
export class SetupUnconfirmed extends Schema.TaggedError<SetupUnconfirmed>()("SetupUnconfirmed", {
  setupId: Schema.String
}) {
  get text(): string {
    return `The setup intent ${this.setupId} is not confirmed`
  }
}

/** The setup intent is of nobody whom the organization knows as its patient. */
export class SetupDenied extends Schema.TaggedError<SetupDenied>()("SetupDenied", {}) {}

/** The gateway does not know the payment method, or does not let the patient have it. */
export class PaymentTokenRefused extends Schema.TaggedError<PaymentTokenRefused>()("PaymentTokenRefused", {}) {}
