import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, OrganizationId, PaymentId, ProductId, UserId } from "../Ids.ts"
import { Amount, PositiveAmount } from "./Amount.ts"
import { PaymentOperation, PaymentStatus } from "./PaymentStatus.ts"
import { ProviderReference } from "./ProviderReference.ts"

const amount = Schema.NullOr(Schema.Finite)

/** The gateway's state of a payment: the worth of its intent, and what was received and refunded. */
const Gateway = Schema.Struct({
  intentId: Schema.String,
  amount,
  currency: Schema.NullOr(Schema.String),
  captureBefore: Schema.NullOr(Timestamp).annotate({
    description:
      "When the authorization expires. A payment that is not captured by then becomes CANCELED. Known only for cards."
  }),
  received: Schema.Finite,
  refunded: Schema.Finite
})

/**
 * A payment as operators see it. Amounts are in major units of `currency`; those of an abandoned checkout are unknown.
 */
export const AdminPayment = Schema.Struct({
  paymentId: PaymentId,
  organizationId: OrganizationId,
  caseId: CaseId,
  userId: Schema.NullOr(UserId),
  status: PaymentStatus,
  amount,
  grossAmount: amount,
  discount: amount,
  currency: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  productId: Schema.NullOr(ProductId),
  providerReference: Schema.NullOr(ProviderReference),
  gateway: Schema.NullOr(Gateway),
  isInitial: Schema.Boolean,
  /** The operation at the gateway whose outcome is not known yet. */
  operation: Schema.NullOr(Schema.Struct({ name: PaymentOperation, since: Timestamp })),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Payment" })
export type AdminPayment = typeof AdminPayment.Type

/** A part of a payment: all of it, without an amount. */
export const PartOfPayment = Schema.Struct({ amount: Schema.optional(PositiveAmount) }).annotate({
  identifier: "PartOfPayment"
})
export type PartOfPayment = typeof PartOfPayment.Type

/** A refund: a part of a payment, or all that is left. */
export const PaymentRefund = Schema.Struct({
  ...PartOfPayment.fields,
  refunded: Schema.optional(
    Amount.annotate({
      description:
        "The total of the refunds so far, from `gateway.refunded`. If it has changed, nothing is refunded (409), so that a repeated request refunds nothing twice."
    })
  )
}).annotate({ identifier: "PaymentRefund" })
export type PaymentRefund = typeof PaymentRefund.Type
