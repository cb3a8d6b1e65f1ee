import { randomUUID } from "node:crypto"
import { PaymentId } from "@care/domain/ids"
import { Effect } from "effect"
import { Authorizations, type PricedPayment } from "../src/casePayments/newPayments/Authorizations.ts"
import { newPatient } from "./newPatient.ts"

type Patient = Effect.Success<ReturnType<typeof newPatient>>

/** A payment of a patient to authorize. */
export const pricedPayment = (
  { caseId, organizationId, userId }: Patient,
  amount = "299.99",
  currency = "USD"
): PricedPayment => ({
  organizationId,
  id: PaymentId.make(randomUUID()),
  caseId,
  userId,
  productId: null,
  isInitial: false,
  isPrepared: false,
  status: "UNPAID",
  currency,
  grossAmount: amount,
  discount: null,
  amount,
  description: "Second month",
  providerReferenceType: null,
  providerReferenceId: null,
  intentId: null
})

/** Authorizes a payment of a new patient on a card of the stand-in. */
export const authorizedPayment = Effect.fnUntraced(function* (
  amount?: string,
  currency?: string,
  card = "pm_card_visa"
) {
  const authorizations = yield* Authorizations
  const patient = yield* newPatient(card)
  const store = yield* authorizations.authorize(pricedPayment(patient, amount, currency), randomUUID())
  const { id } = yield* store
  return { ...patient, id }
})
