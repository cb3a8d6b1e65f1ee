import { assert } from "@effect/vitest"
import { admin, call } from "./harness/call.ts"
import { jobsDone } from "./harness/database.ts"
import { addStaff, caseBody, createCase, decisionBody, makeClinic, weightQuestion } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { untilStaffKnown } from "./harness/untilStaffKnown.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"

testsOn(Suite.shared, "the record of a case", (it) => {
  it("every change of a case is recorded with its actor and a number, and without health texts", function* () {
    const clinic = yield* makeClinic
    const staff = yield* addStaff(clinic, { npi: "1234567893" })
    // Otherwise a sweep for the new provider may assign the case.
    yield* untilStaffKnown(clinic)
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    yield* jobsDone("cases", "assignment", clinic)
    const change = (path: string, body: Readonly<Record<string, unknown>> = {}) =>
      admin("POST", `/cases/${caseId}/${path}`, body)
    yield* change("start")
    yield* change("comments", { authorUserId: staff, text: "canary", isRestricted: false })
    yield* change("comments", { authorUserId: staff, text: "canary", isRestricted: true })
    const content = Buffer.from("canary").toString("base64")
    const file = { uploadedByUserId: staff, fileName: "canary.txt", contentType: "text/plain", content }
    yield* change("attachments", file)
    yield* change("decisions", decisionBody(staff, { decisionText: "canary", medInfo: [{ medicine: "canary" }] }))
    yield* call("POST", "/api/v1/customer-dynamic-case-form", {
      key: clinic.key,
      body: { caseId, formTitle: "canary", questions: [{ ...weightQuestion, questionId: "1", answer: "canary" }] }
    })
    // A refused request is not recorded.
    assert.strictEqual((yield* change("start")).status, 409)
    assert.strictEqual(
      (yield* change("comments", { authorUserId: unknownId, text: "no", isRestricted: true })).status,
      422
    )

    const all = yield* admin("GET", `/cases/${caseId}/activity`)
    const key = { type: "API_KEY", id: clinic.keyId }
    // Whoever has the operator's token is no person, whomever they name.
    const machine = { type: "OPERATOR", id: null }
    const entries = all.json.data.map(({ actor, sequence, type }: Readonly<Record<string, unknown>>) => [
      sequence,
      type,
      actor
    ])
    assert.deepStrictEqual(entries, [
      [1, "CASE_CREATED", key],
      [2, "CASE_ASSIGNED", { type: "JOB", id: "assignment" }],
      [3, "CASE_STARTED", machine],
      [4, "COMMENT_ADDED", machine],
      [5, "NOTE_ADDED", machine],
      [6, "FILE_ATTACHED", machine],
      [7, "DECISION_ADDED", machine],
      [8, "FORM_SUBMITTED", key]
    ])
    assert.deepStrictEqual(all.json.data[1].details, { from: "OPEN", to: "ASSIGNED", providerId: staff })
    assert.notInclude(JSON.stringify(all.json), "canary")
    const detail = yield* admin("GET", `/cases/${caseId}`)
    assert.include(JSON.stringify(detail.json), "canary")
    assert.strictEqual(detail.json.updatedAt, all.json.data[7].at)

    const first = yield* admin("GET", `/cases/${caseId}/activity?limit=5`)
    const second = yield* admin("GET", `/cases/${caseId}/activity?limit=5&cursor=${first.json.nextCursor}`)
    assert.deepStrictEqual([...first.json.data, ...second.json.data], all.json.data)
    assert.isNull(second.json.nextCursor)
  })

  it("an unknown case has no activity, and a cursor of another list is refused", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    assert.strictEqual((yield* admin("GET", `/cases/${unknownId}/activity`)).status, 404)
    for (const cursor of ["x", Buffer.from("-1").toString("base64url"), Buffer.from("[1]").toString("base64url")]) {
      const refused = yield* admin("GET", `/cases/${caseId}/activity?cursor=${cursor}`)
      assert.strictEqual(refused.status, 400)
      assert.include(refused.json.detail, "cursor, must be the nextCursor of another page")
    }
  })
})
