import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { textUpTo } from "../http/Text.ts"
import { CaseId, OrganizationId, PaymentId, UserId } from "../Ids.ts"

/** What a gateway knows a payment by. */
export const ProviderReference = Schema.Struct({
  type: Schema.Literals(["SETUP_INTENT", "PAYMENT_INTENT", "PAYMENT_TOKEN"]),
  id: textUpTo(lengths.reference)
})

/**
 * The payment that a case begins with. `amount` is an exact decimal string in major units of `currency` (ISO 4217); both
 * may be unknown for a case that was abandoned. The reference is kept as it was given.
 */
export const InitialPayment = Schema.Struct({
  caseId: CaseId,
  organizationId: OrganizationId,
  userId: UserId,
  amount: Schema.NullOr(textUpTo(lengths.code)),
  currency: Schema.NullOr(textUpTo(lengths.code)),
  description: Schema.NullOr(textUpTo(lengths.paragraph)),
  providerReference: Schema.NullOr(ProviderReference)
})
export type InitialPayment = typeof InitialPayment.Type

export const RecordedPayment = Schema.Struct({ paymentId: PaymentId })
