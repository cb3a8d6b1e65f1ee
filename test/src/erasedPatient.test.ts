import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Contract, contracts } from "../operations/contracts.ts"
import type { OperationId } from "../operations/ids.ts"
import type { Request } from "../operations/Request.ts"
import { type Answer, admin, call } from "./harness/call.ts"
import { healthMarker, markedPerson } from "./harness/canary/markers.ts"
import { jobsDone } from "./harness/database.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { fixturesOf, mapFixtures, sendOperation } from "./harness/fixturesOf.ts"
import { markedRequest } from "./harness/markedRequest.ts"
import { openEverything } from "./harness/openEverything.ts"
import { sendOrderUpdate } from "./harness/pharmacy.ts"
import { Suite } from "./harness/Suite.ts"
import { markedPatients, marks, recordFixtureTexts, sendMarkedRequests } from "./harness/sendMarkedRequests.ts"
import { testsOn } from "./harness/testsOn.ts"

// In every text that is told after the erasure.
const late = "ziegenmelker"
const lateMarks = { ...marks, text: late, firstName: late, lastName: late, street: late, names: [late] }

/** The operations that concern patients, and so write who did what with whose data. */
const ofPatients = contracts.filter(({ entry }) => entry.unaudited === undefined)

// What is told of the patient before, beside what the fixtures tell.
const told: ReadonlyArray<OperationId> = [
  "backOffice.comment",
  "backOffice.decide",
  "orders.placeOrder",
  "calendarActions.create",
  "users.updateProfile"
]

testsOn(Suite.layer, "a patient who was erased", (it) => {
  it("is answered as documented by every operation of the contracts, and nothing that it is told is kept", function* () {
    const clinic = yield* makeClinic
    const fixtures = yield* fixturesOf(clinic, markedPatients(), { isSinglePatient: true })
    yield* sendMarkedRequests(clinic.key, fixtures, marks, told)
    // Each request of each operation about this one patient, made before: the ids and tokens were real.
    const { fixtureTexts: made, fixtures: of } = recordFixtureTexts(
      mapFixtures(fixtures, (text) => (text === healthMarker ? late : text))
    )
    const requests: Array<readonly [Contract, Request]> = []
    for (const contract of ofPatients) {
      for (const recipe of [contract.entry.request, ...Object.values(contract.entry.variants ?? {})]) {
        requests.push([contract, yield* Effect.promise(async () => recipe(of))])
      }
    }
    const { caseId, userId } = yield* Effect.promise(() => fixtures.case())
    assert.strictEqual((yield* admin("POST", `/users/${userId}/erase`, { force: true })).status, 200)

    const answers: Array<readonly [Contract, Answer]> = []
    const askAll = Effect.fnUntraced(function* (isWanted: (contract: Contract) => boolean) {
      for (const [contract, request] of requests.filter(([contract]) => isWanted(contract))) {
        const planted = markedRequest(contract, request, lateMarks, made)
        answers.push([contract, yield* sendOperation(clinic.key, contract, planted)])
        // The same again gets the answer that was kept, or is told that it is gone.
        if (planted.headers?.["idempotency-key"] !== undefined) {
          answers.push([contract, yield* sendOperation(clinic.key, contract, planted)])
        }
      }
    })
    // As the case is then, which is closed, and when somebody has opened it again.
    yield* askAll(({ entry }) => entry.enrolls !== true)
    const body = { action: "CHANGE_CASE_STATUS", status: "REOPEN", reason: late }
    const reopened = yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body })
    assert.strictEqual(reopened.status, 200)
    // An erasure would close it.
    yield* askAll(({ id, entry }) => entry.enrolls !== true && id !== "patientErasure.erase")
    const orderId = yield* Effect.promise(() => fixtures.orderId())
    assert.isBelow(yield* sendOrderUpdate(orderId, { status: "DELIVERED", trackingId: late, message: late }), 500)
    yield* jobsDone("payments", "payment-event")
    yield* jobsDone("cases", "assignment")
    const accepted = answers.filter(([, { status }]) => status < 300).map(([{ id }]) => id)
    assert.includeMembers(accepted, ["gatewayEvents.received", "pharmacy.orderUpdated", "providerEvents.received"])
    const stored = yield* openEverything
    assert.deepStrictEqual(
      Object.keys(stored).filter((table) => stored[table]?.includes(late) === true),
      []
    )
    // Whoever writes is told what they wrote, and nothing that was written before.
    const said = answers.map(([, { json }]) => JSON.stringify(json ?? "")).join("\n")
    for (const text of [healthMarker, markedPerson.lastName]) assert.notInclude(said, text)
    yield* askAll(({ entry }) => entry.enrolls === true)
    // That it is as documented, `call` has seen to.
    assert.deepStrictEqual(
      answers.flatMap(([{ id }, { status }]) => (status >= 500 ? [`${id} ${status}`] : [])),
      []
    )
    for (const [{ id, entry }, { status }] of answers) {
      if (entry.erasedStatus !== undefined) assert.strictEqual(status, entry.erasedStatus, id)
    }
  })
})
