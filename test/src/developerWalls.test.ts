import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { contracts, toHttpRequest } from "../operations/contracts.ts"
import { type Answer, call } from "./harness/call.ts"
import { containsMarker, healthMarker, markedPerson, personMarkers } from "./harness/canary/markers.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { addStaff, makeClinic } from "./harness/fixtures.ts"
import { fixturesOf } from "./harness/fixturesOf.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { markedPatients, marks, sendMarkedRequests } from "./harness/sendMarkedRequests.ts"
import { asStaff, cookieOf, enrolPasskey, signInStaff } from "./harness/staff.ts"
import { ofPerson, staffOperations } from "./harness/staffOperations.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

// What a partner tells of a patient, and what it asks for with things of a patient in the request.
const ofPartners = contracts.flatMap(({ caller, id }) => (caller === "partner" ? [id] : []))

testsOn(Suite.shared, "a developer of an organization", (it) => {
  const readAll = Effect.fnUntraced(function* (
    read: (path: string) => Effect.Effect<Answer, never, Suite>,
    path: string
  ) {
    const pages: Array<Answer> = []
    let cursor = ""
    do {
      const page = yield* read(`${path}${path.includes("?") ? "&" : "?"}limit=100${cursor}`)
      pages.push(page)
      cursor = page.json.nextCursor === null ? "" : `&cursor=${page.json.nextCursor}`
    } while (cursor !== "")
    return pages
  })

  it("may call what the table says and nothing else, and reads nothing of a patient, whatever partners sent", function* () {
    const clinic = yield* makeClinic
    const email = `developer.${clinic.organizationId}@clinic.example.com`
    yield* addStaff(clinic, { role: "DEVELOPER", email })
    const { answer: enrolled } = yield* enrolPasskey(cookieOf(yield* signInStaff(email)))
    const cookie = cookieOf(enrolled)
    const { url } = yield* receiveEvents
    const endpointId = (yield* addEndpoint(clinic, { url, includeTestCases: true })).id
    const fixtures = yield* fixturesOf(clinic, markedPatients())
    yield* sendMarkedRequests(clinic, fixtures, marks, ofPartners)
    const { caseId } = yield* Effect.promise(() => fixtures.case())
    // Refusals, with a patient in the path, the query, a header and the body.
    const { email: person } = markedPerson
    for (const path of [`/api/v1/cases/${person}`, `/api/v1/cases/${caseId}`, `/api/v1/${person}/${caseId}`]) {
      yield* call("POST", path, { key: clinic.key, body: { action: person, note: healthMarker } })
    }
    yield* call("GET", `/api/v1/cases?status=${person}&shortId=${healthMarker}`, { key: clinic.key })
    yield* call("GET", `/api/v1/customer-case-detail?email=nobody.${person}`, {
      key: clinic.key,
      headers: { "x-request-id": person, "idempotency-key": person }
    })

    const answers: Array<readonly [name: string, answer: Answer]> = []
    const read = (path: string) => asStaff("GET", path, cookie)
    for (const { contract, permission } of staffOperations) {
      const request = yield* Effect.promise(async () => contract.entry.request(fixtures))
      const { body, method, path } = toHttpRequest(contract, ofPerson(contract, request))
      const answer = yield* asStaff(method, path.replace("/admin/v1", ""), cookie, { body })
      const name = `${contract.id} ${answer.status} ${JSON.stringify(answer.json)}`
      answers.push([contract.id, answer])
      if (permission.roles.includes("DEVELOPER")) assert.include([200, 201, 204], answer.status, name)
      else assert.deepStrictEqual([answer.status, answer.json.code], [403, "ROLE_REFUSED"], name)
    }

    const requests = `/request-logs?organizationId=${clinic.organizationId}`
    const log = yield* until(readAll(read, requests), (pages) => JSON.stringify(pages).includes("CASE_NOT_FOUND"))
    const deliveries = yield* readAll(read, `/webhook-endpoints/${endpointId}/deliveries`)
    const ids: ReadonlyArray<string> = deliveries.flatMap(({ json }) => json.data.map(({ id }: { id: string }) => id))
    assert.isAbove(ids.length, 10)
    const details = yield* Effect.forEach(ids, (id) => read(`/webhook-endpoints/${endpointId}/deliveries/${id}`))
    for (const page of log) answers.push(["the request log", page])
    for (const page of [...deliveries, ...details]) answers.push(["a delivery", page])
    for (const [name, { headers, json }] of answers) {
      const text = JSON.stringify([json, [...headers]])
      for (const marker of [healthMarker, ...personMarkers]) {
        assert.isFalse(containsMarker(text, marker), `${name} says ${marker}: ${text.slice(0, 500)}`)
      }
    }
    const ofOperator = yield* call("GET", `/admin/v1/cases/${caseId}`, { isOperator: true })
    assert.isTrue(containsMarker(JSON.stringify(ofOperator.json), markedPerson.lastName.toLowerCase()))
    // Ids of cases are in events, and in the log are no ids at all.
    assert.isFalse(JSON.stringify(log).includes(caseId))
  })
})
