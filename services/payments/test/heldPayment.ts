import { randomUUID } from "node:crypto"
import { PaymentId } from "@care/domain/ids"
import { Effect } from "effect"
import { Authorizations } from "../src/newPayments/Authorizations.ts"
import { newPatient } from "./newPatient.ts"

/** A payment of a new patient whose amount is held on a card of the stand-in. */
export const heldPayment = Effect.fnUntraced(function* (amount = "299.99", currency = "USD", card = "pm_card_visa") {
  const authorizations = yield* Authorizations
  const patient = yield* newPatient(card)
  const { caseId, organizationId, userId } = patient
  const held = yield* authorizations.authorize(
    {
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
    },
    randomUUID()
  )
  const { id } = yield* held
  return { ...patient, id }
})
