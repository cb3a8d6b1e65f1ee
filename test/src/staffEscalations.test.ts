import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { callAs, signedIn } from "./harness/callAs.ts"
import { inDatabase } from "./harness/database.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { addStaff, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"
const cancellation = { type: "support", title: "Cancellation" }
const review = { type: "clinical", title: "Lab Review" }

testsOn(Suite.shared, "escalations by the staff", (it) => {
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const userId = yield* addStaff(clinic, { role: "SUPPORT" })
    return { clinic, caseId, userId, path: `/cases/${caseId}/escalations` }
  })
  const problem = (status: number, title: string, detail: string) => ({ type: "about:blank", title, status, detail })
  const listed = (path: string) => Effect.map(admin("GET", path), ({ json }) => json.data)

  it("201: the active ones, with all that was given; the activity, the audit and the partner's event say who and what", function* () {
    const { caseId, clinic, path, userId } = yield* clinicWithCase
    const assigneeId = yield* addStaff(clinic, {
      role: "THIRD_PARTY_ADMIN",
      email: `t.${clinic.organizationId}@example.com`
    })
    const support = signedIn(userId, clinic.organizationId, "SUPPORT")
    const { arrived, received, url } = yield* receiveEvents
    yield* addEndpoint(clinic, { url, eventTypes: ["case.escalation.added"] })
    yield* call("POST", `/api/v1/cases/${caseId}`, {
      key: clinic.key,
      body: { action: "ADD_ESCALATION", escalations: [cancellation] }
    })
    const full = {
      type: "clinical",
      title: "Refill Ready for Review",
      note: "kanarienvogel",
      followUpDueAt: "2020-08-01T12:00:00+02:00",
      assignedToEmail: `T.${clinic.organizationId}@example.com`
    }
    const added = yield* callAs(support, "cases", "POST", `/admin/v1${path}`, { escalations: [full] })
    assert.strictEqual(added.status, 201, JSON.stringify(added.json))
    const [first, second] = added.json.data
    assert.deepInclude(first, cancellation)
    assert.deepStrictEqual(second, {
      id: second.id,
      type: "clinical",
      title: "Ready for Review - Renewal",
      note: "kanarienvogel",
      followUpDueAt: "2020-08-01T10:00:00.000Z",
      assignedToUserId: assigneeId,
      isCompleted: false,
      createdAt: second.createdAt,
      updatedAt: second.createdAt
    })
    assert.deepStrictEqual(yield* listed(path), [second, first])
    const actor = { type: "USER", id: userId }
    const details = { escalationId: second.id, type: "clinical" }
    const activity = (yield* admin("GET", `/cases/${caseId}/activity`)).json.data.at(-1)
    assert.deepInclude(activity, { type: "ESCALATION_ADDED", actor, details })
    const { json } = yield* until(
      admin("GET", `/audit?organizationId=${clinic.organizationId}&caseId=${caseId}&action=ESCALATION_ADDED`),
      ({ json }) => json.data.length === 2
    )
    assert.deepInclude(json.data[0], { actor, kinds: ["ESCALATIONS"] })
    yield* arrived(2)
    const event = JSON.parse(received[1]?.body ?? "")
    assert.deepInclude(event, { type: "case.escalation.added" })
    assert.deepInclude(event.data, { caseId, escalationId: second.id })
    const stored = yield* inDatabase(
      "cases",
      (sql) => sql<{ note: string }>`SELECT note FROM cases.escalations WHERE id = ${second.id}`
    )
    assert.notInclude(stored[0]?.note ?? assert.fail("it has no note"), "kanarienvogel")
  })

  it("400: malformed requests; 401 and 404: nothing of it is added", function* () {
    const { clinic, path } = yield* clinicWithCase
    const other = yield* makeClinic
    const foreign = signedIn(yield* addStaff(other, { role: "SUPPORT" }), other.organizationId, "SUPPORT")
    for (const [escalations, detail] of [
      [undefined, "escalations, Required"],
      [[], "escalations, At least one escalation is required"],
      [[{ ...review, type: "sales" }], "escalations.0.type, Invalid type. Must be one of: support, clinical, external"],
      [[{ ...review, isCompleted: true }], "escalations.0, Unrecognized key(s) in object: isCompleted"],
      [[{ ...review, followUpDueAt: "tomorrow" }], /^escalations\.0\.followUpDueAt, /],
      [[{ ...review, title: "Cancellation" }], /Invalid title "Cancellation" for type "clinical"\. Must be one of: /]
    ] as const) {
      const { json, status } = yield* admin("POST", path, { escalations })
      assert.strictEqual(status, 400, JSON.stringify(json))
      if (typeof detail === "string") assert.strictEqual(json.detail, detail)
      else assert.match(json.detail, detail)
    }
    const body = { escalations: [review] }
    assert.strictEqual((yield* call("POST", `/admin/v1${path}`, { body })).status, 401)
    assert.strictEqual((yield* call("POST", `/admin/v1${path}`, { key: clinic.key, body })).status, 401)
    const none = problem(404, "Case not found", "No case has this id.")
    yield* expectAnswer(admin("POST", `/cases/${unknownId}/escalations`, body), 404, none)
    yield* expectAnswer(callAs(foreign, "cases", "POST", `/admin/v1${path}`, { escalations: [review] }), 404, none)
    assert.deepStrictEqual(yield* listed(path), [])
  })

  it("409 and 422: what is active, repeated, or for nobody adds nothing", function* () {
    const { clinic, path } = yield* clinicWithCase
    const other = yield* makeClinic
    const add = (escalations: ReadonlyArray<object>) => admin("POST", path, { escalations })
    const email = `t.${other.organizationId}@example.com`
    yield* addStaff(other, { role: "THIRD_PARTY_ADMIN", email })
    yield* addStaff(clinic, { role: "SUPPORT", email: `s.${clinic.organizationId}@example.com` })
    for (const assignedToEmail of [email, `s.${clinic.organizationId}@example.com`, "nobody@example.com"]) {
      yield* expectAnswer(
        add([cancellation, { ...review, assignedToEmail }]),
        422,
        problem(
          422,
          "Unknown assignee",
          `No active THIRD_PARTY_ADMIN of the organization has the email ${assignedToEmail}.`
        )
      )
    }
    yield* expectAnswer(
      add([review, cancellation, review]),
      422,
      problem(422, "Escalation repeated", "The request has clinical / Lab Review more than once.")
    )
    assert.deepStrictEqual(yield* listed(path), [])
    const [{ id }] = (yield* add([review])).json.data
    const active = problem(
      409,
      "Already escalated",
      "The case has an active escalation clinical / Lab Review. Complete it first."
    )
    yield* expectAnswer(add([cancellation, review]), 409, active)
    assert.lengthOf(yield* listed(path), 1)
    yield* admin("POST", `/escalations/${id}/complete`)
    assert.strictEqual((yield* add([cancellation, review])).status, 201)
  })

  it("of equal requests of staff and partner at once exactly one succeeds, and is recorded once", function* () {
    const { caseId, clinic, path } = yield* clinicWithCase
    const escalations = [cancellation, review]
    const answers = yield* Effect.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0
          ? admin("POST", path, { escalations })
          : call("POST", `/api/v1/cases/${caseId}`, {
              key: clinic.key,
              body: { action: "ADD_ESCALATION", escalations: escalations.toReversed() }
            })
      ),
      { concurrency: "unbounded" }
    )
    assert.lengthOf(
      answers.filter(({ status }) => status < 300),
      1
    )
    for (const { status } of answers) assert.include([200, 201, 400, 409], status)
    assert.lengthOf(yield* listed(path), 2)
    const { json } = yield* admin("GET", `/cases/${caseId}/activity`)
    const added = json.data.filter(({ type }: { readonly type: string }) => type === "ESCALATION_ADDED")
    assert.lengthOf(added, 2)
  })

  it("a closed case takes escalations, too", function* () {
    const { caseId, path } = yield* clinicWithCase
    yield* inDatabase("cases", (sql) => sql`UPDATE cases.cases SET is_archived = true WHERE id = ${caseId}`)
    assert.strictEqual((yield* admin("POST", path, { escalations: [review] })).status, 201)
  })
})
