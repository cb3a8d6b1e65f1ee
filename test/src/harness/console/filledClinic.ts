import { Effect } from "effect"
import { admin } from "../call.ts"
import { makeClinic } from "../fixtures.ts"
import { fixturesOf, patientsNamed } from "../fixturesOf.ts"
import { waitingCase } from "./waitingCase.ts"

/** Makes an organization with something on every screen of the console, about one patient and their case. */
export const filledClinic = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const patients = patientsNamed("Wants to know more", () => ({ firstName: "Maria", lastName: "Lopez" }))
  const fixtures = yield* fixturesOf(clinic, patients, { isSinglePatient: true })
  const made = yield* Effect.promise(async () => {
    const { caseId } = await fixtures.assignedCase()
    await fixtures.caseWithFile()
    await fixtures.escalationId()
    await fixtures.failedOrder()
    await fixtures.calendarEvent()
    await fixtures.bundleId()
    await fixtures.promoCodeId()
    await fixtures.failedJobId()
    const { formId } = await fixtures.form()
    const paymentId = await fixtures.takenPaymentId()
    const endpointId = await fixtures.endpointId()
    const { deliveryId } = await fixtures.delivery()
    return { caseId, formId, paymentId, endpointId, deliveryId }
  })
  yield* waitingCase(clinic)
  yield* admin("POST", "/promo-codes", { code: `Everywhere ${made.caseId}`, percentDiscount: 5 })
  const { shortId } = (yield* admin("GET", `/cases/${made.caseId}`)).json
  return { clinic, shortId: String(shortId), ...made }
})
