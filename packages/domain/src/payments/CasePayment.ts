import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"
import { BundleId, CaseId, OrganizationId, PaymentId, PreparationId, UserId } from "../Ids.ts"
import { ProviderReference } from "./ProviderReference.ts"

const amount = Schema.NullOr(textUpTo(lengths.code))

// A promo code, and the bundles of the product that it discounts.
const requestedCode = {
  code: textUpTo(lengths.reference),
  bundleIds: Schema.Array(BundleId)
}

/** The promo codes of a payment: one of the whole, and those of single products with their prices. */
export const RequestedDiscounts = Schema.Struct({
  whole: Schema.NullOr(Schema.Struct(requestedCode)),
  products: Schema.Array(Schema.Struct({ ...requestedCode, price: textUpTo(lengths.code) }))
})
export type RequestedDiscounts = typeof RequestedDiscounts.Type

const commonFields = {
  caseId: CaseId,
  organizationId: OrganizationId,
  /** Gross: an exact decimal string in major units of `currency` (ISO 4217). */
  amount,
  currency: amount,
  description: Schema.NullOr(textUpTo(lengths.paragraph)),
  providerReference: Schema.NullOr(ProviderReference)
}

/** The attempt to store a case for which its payment is prepared. Only this attempt can release it. */
export const Preparation = Schema.Struct({
  organizationId: OrganizationId,
  caseId: CaseId,
  preparationId: PreparationId
})
export type Preparation = typeof Preparation.Type

/**
 * The payment of a case before it is stored. Amount and currency are unknown when a case has only a reference. With a
 * `setupIntentId` beside a payment intent, the payment intent pays, and the method of the setup intent is saved. With
 * `mustBePaid` it is refused unless its payment intent has succeeded at the gateway.
 */
export const PlannedPayment = Schema.Struct({
  ...commonFields,
  preparationId: PreparationId,
  setupIntentId: Schema.NullOr(textUpTo(lengths.reference)),
  mustBePaid: Schema.optionalKey(Schema.Boolean),
  discounts: RequestedDiscounts
})
export type PlannedPayment = typeof PlannedPayment.Type

/** The discount of the gross amount; null when there is none. */
export const PreparedPayment = Schema.Struct({ discount: amount })
export type PreparedPayment = typeof PreparedPayment.Type

/**
 * The payment that a case began with. `discount` is the prepared one; an abandoned case has no preparation, and may
 * have no amount or currency. The reference is stored as given.
 */
export const InitialPayment = Schema.Struct({ ...commonFields, userId: UserId, discount: amount })
export type InitialPayment = typeof InitialPayment.Type

export const RecordedPayment = Schema.Struct({ paymentId: PaymentId })
