import { Effect } from "effect"
import type { OperationId } from "../../operations/ids.ts"
import { jobsDone } from "./database.ts"
import type { Clinic, newPatient } from "./fixtures.ts"
import { fixturesOf, patientsWho } from "./fixturesOf.ts"
import { tellAll } from "./tellAll.ts"

// What is told of one patient, in this order; and what ends the case that it is told of, each of another patient.
const ofOne: ReadonlyArray<OperationId> = [
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
const ending: ReadonlyArray<OperationId> = ["caseProducts.update", "statusChanges.change"]

/**
 * Writes a text wherever somebody writes something about a patient's health: the patient's case. Three other patients' cases
 * are closed or opened with it.
 */
export const tellEverything = Effect.fnUntraced(function* (
  clinic: Clinic,
  secret: string,
  patient: ReturnType<typeof newPatient>
) {
  const { firstName, lastName, phoneNumber } = patient
  const names = [firstName, lastName].map((name) => name.toLowerCase())
  const marks = { text: secret, own: "leuchtturm", firstName, lastName, street: secret, names, phoneNumber }
  const one = yield* fixturesOf(
    clinic,
    patientsWho(secret, () => patient),
    { isOne: true }
  )
  yield* tellAll(clinic.key, one, marks, ofOne)
  const others = patientsWho(secret, () => ({ firstName, lastName: "Lopez" }))
  yield* tellAll(clinic.key, yield* fixturesOf(clinic, others), marks, ending)
  yield* jobsDone("cases", "order-hand-over")
  yield* jobsDone("scheduling", "calendar-replication")
  yield* jobsDone("cases", "assignment")
  yield* jobsDone("cases", "payment-recording")
  return (yield* Effect.promise(() => one.case())).caseId
})
