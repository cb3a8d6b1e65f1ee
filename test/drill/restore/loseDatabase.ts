import { randomUUID } from "node:crypto"
import type { RunningPostgres } from "@care/sandbox"
import { Effect, Fiber } from "effect"
import { clinicWithPatient, requestSlots } from "../../src/harness/appointments.ts"
import { admin } from "../../src/harness/call.ts"
import { addEndpoint } from "../../src/harness/endpoints.ts"
import { erase, patientOf } from "../../src/harness/erasures.ts"
import { type Clinic, caseBody, createCase, newPatient, weightQuestion } from "../../src/harness/fixtures.ts"
import { sendOrderUpdate } from "../../src/harness/pharmacy.ts"
import { saveMethod } from "../../src/harness/saveMethod.ts"
import { atSchedulingProvider } from "../../src/harness/schedulingProvider.ts"
import type { ArchivedPostgres } from "./ArchivedPostgres.ts"
import { idOf, isAccepted, makeLoad, type Sent } from "./load.ts"
import { atProviders } from "./providers.ts"
import { untilDone } from "./untilDone.ts"

const workers = 3

// How many patients are served before the time that is restored, and after it.
const patientsBefore = 8
const patientsAfter = 8

/** Makes a patient with a case and health data, who is erased later. */
const makePatient = Effect.fnUntraced(function* (clinic: Clinic) {
  const mark = `mark${randomUUID().replaceAll("-", "")}`
  const user = { ...newPatient(), lastName: mark }
  const form = { title: "Intake", questions: [{ ...weightQuestion, answer: mark }] }
  const body = caseBody(clinic, { user, products: [{ id: clinic.productId, form }] })
  const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
  return { mark, caseId, userId: yield* patientOf(clinic, caseId) }
})

// What happens to things that are restored: the database forgets it, and the third parties do not.
const goOn = Effect.fnUntraced(function* (clinic: Clinic, accepted: ReadonlyArray<Sent>, pharmacyFile: string) {
  const firstId = (kind: Sent["kind"]) => accepted.filter((one) => one.kind === kind).map(idOf)[0] ?? ""
  const [paymentId, orderId] = [firstId("hold"), firstId("order")]
  yield* untilDone(admin("POST", `/payments/${paymentId}/capture`, {}), ({ status }) => status === 200)
  yield* untilDone(sendOrderUpdate(orderId, { status: "SHIPPED" }), (status) => status < 300)
  const [meetingId = ""] = (yield* atProviders(clinic, pharmacyFile)).meetings
  yield* (yield* atSchedulingProvider).cancel(meetingId, "host", "The provider is ill")
  return { meetingId, orderId, paymentId }
})

/** A database under load, and the third parties beside it. */
interface Lost {
  readonly postgres: ArchivedPostgres
  readonly database: RunningPostgres
  readonly pharmacyFile: string
  /** The partner's receiver of events. */
  readonly eventsUrl: string
}

/**
 * Backs the database up, lets shops serve patients, notes a time, erases a patient, and destroys the data folder while the shops go on.
 * Returns what they sent until and since that time.
 */
export const loseDatabase = Effect.fnUntraced(function* ({ database, eventsUrl, pharmacyFile, postgres }: Lost) {
  const { caseId: standingCaseId, clinic } = yield* clinicWithPatient
  yield* saveMethod(clinic, standingCaseId, "pm_card_visa")
  yield* addEndpoint(clinic, { url: eventsUrl })
  const patient = yield* makePatient(clinic)
  const { json } = yield* requestSlots(clinic, 3, 30)
  const slots = json.data.map(({ startTime }: { readonly startTime: string }) => startTime)
  const backupBytes = yield* postgres.backUp(database)

  const { sent, serve } = makeLoad({ clinic, slots, standingCaseId })
  const served = Effect.sync(() => sent.filter((one) => one.kind === "visit" && isAccepted(one)).length)
  const shops = yield* Effect.forEach(Array.from({ length: workers }), () =>
    Effect.forkScoped(Effect.ignore(Effect.forever(serve)))
  )
  // Fails when a shop does.
  const failure = Effect.andThen(Effect.forEach(shops, Fiber.join), Effect.never)
  const untilServed = (count: number) =>
    Effect.raceFirst(
      untilDone(served, (now) => now >= count),
      failure
    )
  yield* untilServed(patientsBefore)
  // First, so that nothing that was answered later counts as restored.
  const until = sent.filter(isAccepted)
  const time = yield* postgres.now(database)

  const changed = yield* goOn(clinic, until, pharmacyFile)
  const erased = yield* erase(patient.userId, true)
  if (erased.status !== 200) return yield* Effect.die(new Error(`The erasure was answered with ${erased.status}`))
  yield* untilServed((yield* served) + patientsAfter)
  yield* postgres.archiveNow(database)
  const destroyedAt = performance.now()
  yield* postgres.destroy(database)
  yield* Effect.forEach(shops, Fiber.join)
  return {
    backupBytes,
    changed,
    clinic,
    destroyedAt,
    patient,
    time,
    until,
    since: sent.filter((one) => !until.includes(one))
  }
})
