import { randomUUID } from "node:crypto"
import { PaymentId, type UserId } from "@care/domain/ids"
import type { InitialPayment } from "@care/domain/payments"
import { BigDecimal } from "effect"
import type { NewPayment } from "../payments/index.ts"

/** The state of a new payment. The user is null while its case is not stored. */
interface PaymentTerms {
  readonly userId: UserId | null
  readonly discount: string | null
  /** Whether the payment intent pays it, or is only its reference. */
  readonly holdsIntent: boolean
}

const less = (amount: string, discount: string): string =>
  BigDecimal.format(BigDecimal.subtract(BigDecimal.fromStringUnsafe(amount), BigDecimal.fromStringUnsafe(discount)))

/** Returns the payment that a case begins with, as it is stored first. */
export const initialPayment = (
  payment: Omit<InitialPayment, "userId" | "discount">,
  { discount, holdsIntent, userId }: PaymentTerms
): NewPayment => {
  const { amount, caseId, currency, description, organizationId, providerReference } = payment
  const isIntent = providerReference?.type === "PAYMENT_INTENT"
  return {
    organizationId,
    id: PaymentId.make(randomUUID()),
    caseId,
    userId,
    productId: null,
    isInitial: true,
    isPrepared: userId === null,
    status: "UNPAID",
    currency,
    grossAmount: amount,
    discount,
    amount: amount === null || discount === null ? amount : less(amount, discount),
    description,
    providerReferenceType: providerReference?.type ?? null,
    providerReferenceId: providerReference?.id ?? null,
    intentId: isIntent && holdsIntent ? providerReference.id : null
  }
}
