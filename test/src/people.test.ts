import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

testsOn(Suite.shared, "how people are shown", (it) => {
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    const read = (query: string) => call("GET", `/api/v1/customer-case-detail?${query}`, { key: clinic.key })
    const submitter = Effect.map(read(`caseId=${caseId}`), ({ json }) => json.caseDetail.submitter)
    const change = (action: string, data: object) =>
      call("POST", "/api/v1/users", { key: clinic.key, body: { action, data } })
    return { clinic, caseId, user: body.user, email: body.user.email, read, submitter, change }
  })

  it("a change of a patient shows in the next read", function* () {
    const { change, email, submitter } = yield* clinicWithCase
    for (const firstName of ["Ana", "Berta", "Clara", "Dora"]) {
      const changed = yield* change("UPDATE_PROFILE", { email, firstName })
      assert.strictEqual(changed.status, 200)
      const { updatedAt } = changed.json.data.user
      assert.deepInclude(yield* submitter, { email, firstName, updatedAt })
    }
  })

  it("after 20 parallel changes cases show the final record of the patient", function* () {
    const { change, email, submitter } = yield* clinicWithCase
    const changes = Array.from({ length: 20 }, (_, index) =>
      change("UPDATE_PROFILE", { email, firstName: `Name${index}` })
    )
    const answers = yield* Effect.all(changes, { concurrency: "unbounded" })
    assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const { firstName } = (yield* change("UPDATE_PROFILE", { email })).json.data.user
    assert.strictEqual((yield* submitter).firstName, firstName)
  })

  it("a patient's cases are found by the new email at once, and no more by the old one", function* () {
    const { caseId, change, email, read } = yield* clinicWithCase
    const newEmail = `new.${email}`
    assert.strictEqual((yield* read(`email=${email}`)).json.caseDetail.id, caseId)
    assert.strictEqual((yield* change("UPDATE_EMAIL", { currentEmail: email, newEmail })).status, 200)
    assert.strictEqual((yield* read(`email=${email}`)).status, 404)
    const { caseDetail } = (yield* read(`email=${newEmail}`)).json
    assert.deepStrictEqual([caseDetail.id, caseDetail.submitter.email], [caseId, newEmail])
  })

  it("additional data from the next intake shows when its job is done", function* () {
    const { clinic, submitter, user } = yield* clinicWithCase
    const before = yield* submitter
    const phoneNumber = "+14155550123"
    yield* inDatabase("auth", (sql) => sql`UPDATE auth.users SET phone_number = NULL WHERE id = ${before.id}`)
    const body = caseBody(clinic, { forceCreate: true, user: { ...user, phoneNumber } })
    assert.strictEqual((yield* createCase(clinic, body)).status, 200)
    yield* jobsDone("cases", "patient-completion")
    assert.deepStrictEqual([before.phoneNumber === phoneNumber, (yield* submitter).phoneNumber], [false, phoneNumber])
  })

  it("a member who is removed is shown as inactive from then on", function* () {
    const { caseId, clinic, read } = yield* clinicWithCase
    const member = yield* admin("POST", `/organizations/${clinic.organizationId}/members`, {
      email: `support.${clinic.organizationId}@example.com`,
      firstName: "Sam",
      lastName: "Support",
      role: "SUPPORT"
    })
    const comment = yield* admin("POST", `/cases/${caseId}/comments`, {
      authorUserId: member.json.id,
      text: "Hello",
      isRestricted: false
    })
    assert.strictEqual(comment.status, 201)
    const author = Effect.map(read(`caseId=${caseId}`), ({ json }) => json.caseDetail.comments[0].author)
    assert.deepInclude(yield* author, { firstName: "Sam", isActive: true })
    assert.strictEqual((yield* admin("DELETE", `/users/${member.json.id}`)).status, 204)
    assert.deepInclude(yield* author, { firstName: "Sam", isActive: false })
  })

  it("missing copies are fetched and stored, without a visible difference", function* () {
    const { clinic, submitter } = yield* clinicWithCase
    const before = yield* submitter
    const storedPeople = inDatabase(
      "cases",
      (sql) => sql`SELECT id FROM cases.people WHERE organization_id = ${clinic.organizationId}`
    )
    assert.isAbove((yield* storedPeople).length, 0)
    yield* inDatabase("cases", (sql) => sql`DELETE FROM cases.people WHERE organization_id = ${clinic.organizationId}`)
    assert.deepStrictEqual(yield* submitter, before)
    assert.lengthOf(yield* storedPeople, 1)
  })
})
