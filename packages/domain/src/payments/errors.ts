import { Schema } from "effect"
import { PaymentId } from "../Ids.ts"
import { PaymentOperation } from "./PaymentOperation.ts"
import { PaymentStatus } from "./PaymentStatus.ts"
import { ProviderReference } from "./ProviderReference.ts"

/** No payment has this id. */
export class PaymentNotFound extends Schema.TaggedError<PaymentNotFound>()("PaymentNotFound", {
  paymentId: PaymentId
}) {}

/**
 * What a payment refers to is not known to the gateway, is not confirmed, or is of a customer who is deleted. `reason` says which.
 */
export class ReferenceRefused extends Schema.TaggedError<ReferenceRefused>()("ReferenceRefused", {
  type: ProviderReference.fields.type,
  reason: Schema.String
}) {}

/** The payment was said to be paid, and its payment intent has not succeeded. */
export class IntentUnpaid extends Schema.TaggedError<IntentUnpaid>()("IntentUnpaid", {}) {}

/** The payment intent pays another case of the organization, or is another case's that is about to be. */
export class IntentInUse extends Schema.TaggedError<IntentInUse>()("IntentInUse", {}) {
  get text(): string {
    return "The payment intent is used by another case. Create another payment intent."
  }
}

/** Nothing is known that the patient of the case pays with. */
export class PaymentMethodMissing extends Schema.TaggedError<PaymentMethodMissing>()("PaymentMethodMissing", {}) {}

/** The gateway does not hold the amount: nothing was charged. `reason` tells nothing of what the bank said. */
export class PaymentDeclined extends Schema.TaggedError<PaymentDeclined>()("PaymentDeclined", {
  reason: Schema.String
}) {}

/** The gateway knows nothing of the payment. */
export class PaymentNotAtGateway extends Schema.TaggedError<PaymentNotAtGateway>()("PaymentNotAtGateway", {}) {}

/** The payment's status does not allow the operation; `needed` says which do. */
export class PaymentStatusConflict extends Schema.TaggedError<PaymentStatusConflict>()("PaymentStatusConflict", {
  status: PaymentStatus,
  needed: Schema.Array(PaymentStatus)
}) {}

/** The gateway was asked for something else, and nobody knows yet what became of that. */
export class PaymentOperationPending extends Schema.TaggedError<PaymentOperationPending>()("PaymentOperationPending", {
  operation: PaymentOperation
}) {}

/** More is asked for than is held, or than is left; `most` is how much that is, with its currency. */
export class PaymentAmountTooHigh extends Schema.TaggedError<PaymentAmountTooHigh>()("PaymentAmountTooHigh", {
  most: Schema.String
}) {}

/** Another amount was given back than is said; `refunded` is how much it is, with its currency. */
export class PaymentRefundedOtherwise extends Schema.TaggedError<PaymentRefundedOtherwise>()(
  "PaymentRefundedOtherwise",
  { refunded: Schema.String }
) {}

/** The gateway said no, and nothing happened; `code` is the gateway's word for why. */
export class GatewayRefused extends Schema.TaggedError<GatewayRefused>()("GatewayRefused", { code: Schema.String }) {}

/** A setup intent as the public document shows it. */
export const shownSetup = { setupId: "seti_1Qxyz" }

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
