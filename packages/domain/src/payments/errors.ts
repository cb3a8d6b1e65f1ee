import { Schema } from "effect"
import { PaymentId } from "../Ids.ts"
import { PaymentOperation, PaymentStatus } from "./PaymentStatus.ts"
import { ProviderReference } from "./ProviderReference.ts"

export class PaymentNotFound extends Schema.TaggedError<PaymentNotFound>()("PaymentNotFound", {
  paymentId: PaymentId
}) {}

/** The reference of a payment is unknown to the gateway, not confirmed, or of a deleted customer, as `reason` says. */
export class ReferenceRefused extends Schema.TaggedError<ReferenceRefused>()("ReferenceRefused", {
  type: ProviderReference.fields.type,
  reason: Schema.String
}) {}

/** The payment was reported as paid, but its payment intent has not succeeded. */
export class IntentUnpaid extends Schema.TaggedError<IntentUnpaid>()("IntentUnpaid", {}) {}

/** The payment intent pays another case of the organization, or one that is being created. */
export class IntentInUse extends Schema.TaggedError<IntentInUse>()("IntentInUse", {}) {
  get text(): string {
    return "The payment intent is used by another case. Create another payment intent."
  }
}

/** The patient of the case has no payment method. */
export class PaymentMethodMissing extends Schema.TaggedError<PaymentMethodMissing>()("PaymentMethodMissing", {}) {}

/**
 * The gateway did not authorize the amount, and nothing was charged. `reason` contains nothing of the bank's answer.
 */
export class PaymentDeclined extends Schema.TaggedError<PaymentDeclined>()("PaymentDeclined", {
  reason: Schema.String
}) {}

/** The gateway does not know the payment. */
export class PaymentNotAtGateway extends Schema.TaggedError<PaymentNotAtGateway>()("PaymentNotAtGateway", {}) {}

/** The payment's status does not allow the operation; `needed` has those that do. */
export class PaymentStatusConflict extends Schema.TaggedError<PaymentStatusConflict>()("PaymentStatusConflict", {
  status: PaymentStatus,
  needed: Schema.Array(PaymentStatus)
}) {}

/** The outcome of another operation at the gateway is not known yet. */
export class PaymentOperationPending extends Schema.TaggedError<PaymentOperationPending>()("PaymentOperationPending", {
  operation: PaymentOperation
}) {}

/** The amount is higher than the held or remaining amount, which is `most` with its currency. */
export class PaymentAmountTooHigh extends Schema.TaggedError<PaymentAmountTooHigh>()("PaymentAmountTooHigh", {
  most: Schema.String
}) {}

/** The refunded amount is not the stated one, but `refunded` with its currency. */
export class PaymentRefundedOtherwise extends Schema.TaggedError<PaymentRefundedOtherwise>()(
  "PaymentRefundedOtherwise",
  { refunded: Schema.String }
) {}

/** The gateway refused, and nothing happened; `code` is the gateway's code. */
export class GatewayRefused extends Schema.TaggedError<GatewayRefused>()("GatewayRefused", { code: Schema.String }) {}

/** The example setup intent of the public document. */
export const shownSetup = { setupId: "seti_1PqGjX2eZvKYlo2C" }

/** The gateway knows no setup intent of the organization with this id. */
export class SetupUnknown extends Schema.TaggedError<SetupUnknown>()("SetupUnknown", { setupId: Schema.String }) {
  get text(): string {
    return `No setup intent exists for the id ${this.setupId}`
  }
}

/** The setup intent is not confirmed, so it has no payment method. */
export class SetupUnconfirmed extends Schema.TaggedError<SetupUnconfirmed>()("SetupUnconfirmed", {
  setupId: Schema.String
}) {
  get text(): string {
    return `The setup intent ${this.setupId} is not confirmed`
  }
}

/** The setup intent belongs to no patient of the organization. */
export class SetupDenied extends Schema.TaggedError<SetupDenied>()("SetupDenied", {}) {}

/** The gateway does not know the payment method, or it cannot be the patient's. */
export class PaymentTokenRefused extends Schema.TaggedError<PaymentTokenRefused>()("PaymentTokenRefused", {}) {}
