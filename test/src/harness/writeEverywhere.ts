import { Effect } from "effect"
import type { OperationId } from "../../operations/ids.ts"
import { jobsDone } from "./database.ts"
import type { Clinic, newPatient } from "./fixtures.ts"
import { fixturesOf, patientsNamed } from "./fixturesOf.ts"
import { sendMarkedRequests } from "./sendMarkedRequests.ts"

// Operations that write about one patient, in this order, and operations that end a case, each for another patient.
const onePatientOperations: ReadonlyArray<OperationId> = [
  "dynamicCases.submitCaseForm",
  "newPayments.create",
  "users.updateProfile",
  "backOffice.comment",
  "backOffice.attach",
  "escalations.add",
  "backOffice.decide",
  "orders.placeOrder",
  "adminOrders.change",
  "paymentSetup.completeSetup",
  "paymentInfo.updatePaymentInfo",
  "paymentConfirmations.confirmPayment",
  "calendarActions.create",
  "bookings.book",
  "bookings.cancel"
]
const caseEndingOperations: ReadonlyArray<OperationId> = ["caseProducts.update", "statusChanges.change"]

/**
 * Writes a secret text with every operation that takes texts about a patient's health, and returns the patient's case. Cases of other
 * patients are closed or opened with the same text.
 */
export const writeEverywhere = Effect.fnUntraced(function* (
  clinic: Clinic,
  secret: string,
  patient: ReturnType<typeof newPatient>
) {
  const { firstName, lastName, phoneNumber } = patient
  const names = [firstName, lastName].map((name) => name.toLowerCase())
  const marks = {
    text: secret,
    organizationText: "leuchtturm",
    firstName,
    lastName,
    street: secret,
    names,
    phoneNumber
  }
  const fixtures = yield* fixturesOf(
    clinic,
    patientsNamed(secret, () => patient),
    { isSinglePatient: true }
  )
  yield* sendMarkedRequests(clinic, fixtures, marks, onePatientOperations)
  const others = patientsNamed(secret, () => ({ firstName, lastName: "Lopez" }))
  yield* sendMarkedRequests(clinic, yield* fixturesOf(clinic, others), marks, caseEndingOperations)
  yield* jobsDone("cases", "order-hand-over")
  yield* jobsDone("scheduling", "calendar-replication")
  yield* jobsDone("cases", "assignment")
  yield* jobsDone("cases", "payment-recording")
  return (yield* Effect.promise(() => fixtures.case())).caseId
})
