import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"
import { BundleId, CaseId, OrganizationId, PaymentId, PreparationId, UserId } from "../Ids.ts"
import { ProviderReference } from "./ProviderReference.ts"

const amount = Schema.NullOr(textUpTo(lengths.code))

// A promo code, and the bundles that have what it is to make cheaper.
const askedCode = {
  code: textUpTo(lengths.reference),
  bundleIds: Schema.Array(BundleId)
}

/** Promo codes of a payment: one of the whole, and those of single products with the price that each makes lower. */
export const AskedDiscounts = Schema.Struct({
  whole: Schema.NullOr(Schema.Struct(askedCode)),
  products: Schema.Array(Schema.Struct({ ...askedCode, price: textUpTo(lengths.code) }))
})
export type AskedDiscounts = typeof AskedDiscounts.Type

const told = {
  caseId: CaseId,
  organizationId: OrganizationId,
  /** Gross, an exact decimal string in major units of `currency` (ISO 4217). */
  amount,
  currency: amount,
  description: Schema.NullOr(textUpTo(lengths.paragraph)),
  providerReference: Schema.NullOr(ProviderReference)
}

/** The try at storing a case for which its payment is prepared: what one has prepared no other releases. */
export const Preparation = Schema.Struct({
  organizationId: OrganizationId,
  caseId: CaseId,
  preparationId: PreparationId
})
export type Preparation = typeof Preparation.Type

/**
 * The payment of a case that is about to be stored. Amount and currency are unknown where a case names a reference alone.
 * `setupIntentId` is a setup intent beside a payment intent: the payment intent pays, and the setup intent's method is saved.
 * One that `mustBePaid` is refused unless the gateway says that its payment intent has succeeded.
 */
export const PlannedPayment = Schema.Struct({
  ...told,
  preparationId: PreparationId,
  setupIntentId: Schema.NullOr(textUpTo(lengths.reference)),
  mustBePaid: Schema.optionalKey(Schema.Boolean),
  discounts: AskedDiscounts
})
export type PlannedPayment = typeof PlannedPayment.Type

/** What is taken off the gross amount; null when nothing is. */
export const PreparedPayment = Schema.Struct({ discount: amount })
export type PreparedPayment = typeof PreparedPayment.Type

/**
 * The payment that a case began with. `discount` is what was prepared; nothing is prepared for a case that was abandoned,
 * whose amount and currency may be unknown, too. The reference is kept as it was given.
 */
export const InitialPayment = Schema.Struct({ ...told, userId: UserId, discount: amount })
export type InitialPayment = typeof InitialPayment.Type

export const RecordedPayment = Schema.Struct({ paymentId: PaymentId })
