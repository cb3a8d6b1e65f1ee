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

// The marker in every text that is sent after the erasure.
const late = "ziegenmelker"
const lateMarks = { ...marks, text: late, firstName: late, lastName: late, street: late, names: [late] }

/** The operations that concern patients, except those of sandboxes: a sandbox has patients of its own. */
const ofPatients = contracts.filter(
  ({ entry, id }) =>
    entry.unaudited === undefined && entry.changesAccess === undefined && !id.startsWith("simulations.")
)

// The operations that write about the patient before the erasure, beside those of the fixtures.
const writes: ReadonlyArray<OperationId> = [
  "backOffice.comment",
  "backOffice.decide",
  "orders.placeOrder",
  "calendarActions.create",
  "users.updateProfile"
]

testsOn(Suite.layer, "a patient who was erased", (it) => {
  it("gets documented responses from every operation, and nothing that is sent later is stored readably", function* () {
    const clinic = yield* makeClinic
    const fixtures = yield* fixturesOf(clinic, markedPatients(), { isSinglePatient: true })
    yield* sendMarkedRequests(clinic, fixtures, marks, writes)
    // All requests are about this one patient and made before the erasure, with real ids and tokens.
    const { fixtureTexts, fixtures: recorded } = recordFixtureTexts(
      mapFixtures(fixtures, (text) => (text === healthMarker ? late : text))
    )
    const requests: Array<readonly [Contract, Request]> = []
    for (const contract of ofPatients) {
      for (const recipe of [contract.entry.request, ...Object.values(contract.entry.variants ?? {})]) {
        requests.push([contract, yield* Effect.promise(async () => recipe(recorded))])
      }
    }
    const { caseId, userId } = yield* Effect.promise(() => fixtures.case())
    assert.strictEqual((yield* admin("POST", `/users/${userId}/erase`, { force: true })).status, 200)

    const answers: Array<readonly [Contract, Answer]> = []
    const askAll = Effect.fnUntraced(function* (isWanted: (contract: Contract) => boolean) {
      for (const [contract, request] of requests.filter(([contract]) => isWanted(contract))) {
        const planted = markedRequest(contract, request, lateMarks, fixtureTexts)
        answers.push([contract, yield* sendOperation(clinic, contract, planted)])
        // The repeated request gets the stored response, or learns that it is gone.
        if (planted.headers?.["idempotency-key"] !== undefined) {
          answers.push([contract, yield* sendOperation(clinic, contract, planted)])
        }
      }
    })
    // First while the case is closed, then after it was reopened.
    yield* askAll(({ entry }) => entry.enrolls !== true)
    const body = { action: "CHANGE_CASE_STATUS", status: "REOPEN", reason: late }
    const reopened = yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body })
    assert.strictEqual(reopened.status, 200)
    // All operations except the erasure, which would close the case again.
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
    // A response may quote its own request, and nothing from before the erasure.
    const responses = answers.map(([, { json }]) => JSON.stringify(json ?? "")).join("\n")
    for (const text of [healthMarker, markedPerson.lastName]) assert.notInclude(responses, text)
    yield* askAll(({ entry }) => entry.enrolls === true)
    // `call` has checked that the response is as documented.
    assert.deepStrictEqual(
      answers.flatMap(([{ id }, { status }]) => (status >= 500 ? [`${id} ${status}`] : [])),
      []
    )
    for (const [{ id, entry }, { status }] of answers) {
      if (entry.erasedStatus !== undefined) assert.strictEqual(status, entry.erasedStatus, id)
    }
  })
})
