import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { casesOf, claimOf, untilCaseInsertWaits, whileCasesAreLocked } from "./harness/claims.ts"
import { type Clinic, caseBody, createCase, dynamicBody, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

// Far fewer connections than parallel requests, so that requests which hold a connection during a call to a peer would fail.
const suite = Suite.layerWith({ DATABASE_CONNECTIONS: "4" })

testsOn(suite, "once a key", (it) => {
  let keys = 0
  const newKey = () => {
    keys += 1
    return `key-${keys}`
  }
  const withKey = (key: string) => ({ "idempotency-key": key })
  const atOnce = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
    Effect.all(
      Array.from({ length: count }, () => effect),
      { concurrency: "unbounded" }
    )

  const createDynamic = (clinic: Clinic, body: unknown, key: string) =>
    call("POST", "/api/v1/dynamic-case", { key: clinic.key, body, headers: withKey(key) })
  const act = (clinic: Clinic, action: string, data: unknown, key: string) =>
    call("POST", "/api/v1/users", { key: clinic.key, body: { action, data }, headers: withKey(key) })
  const patientOf = (clinic: Clinic) =>
    Effect.gen(function* () {
      const body = caseBody(clinic)
      const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
      return { email: body.user.email, caseId }
    })

  it("40 profile updates and 40 dynamic cases with keys at once, with 4 connections a service: all 200", function* () {
    const clinic = yield* makeClinic
    const patients = yield* Effect.all(Array.from({ length: 4 }, () => patientOf(clinic)))
    const requests = Array.from({ length: 40 }, (_, index) => [
      // A new first name makes auth call cases (is the profile locked?), while cases calls auth to enroll a patient.
      act(clinic, "UPDATE_PROFILE", { email: patients[index % 4]?.email, firstName: `Name ${index}` }, newKey()),
      createDynamic(clinic, dynamicBody(), newKey())
    ])
    const answers = yield* Effect.all(requests.flat(), { concurrency: "unbounded" })
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200)
    )
    assert.strictEqual((yield* casesOf(clinic)).length, 44)
  })

  it("20 callers with one key: one effect, and the same answer for all, also later, of every operation", function* () {
    const clinic = yield* makeClinic
    const { caseId, email } = yield* patientOf(clinic)
    const form = {
      caseId,
      formTitle: "Follow-up",
      questions: [{ questionId: "q", question: "How are you?", type: "TEXT", answer: "Fine" }]
    }
    const escalate = { action: "ADD_ESCALATION", escalations: [{ type: "support", title: "Cancellation" }] }
    const byBody = caseBody(clinic, { idempotencyKey: newKey() })
    const byHeader = caseBody(clinic)
    const dynamic = dynamicBody({ password: "correct horse" })
    const key = newKey()
    const operations = [
      createCase(clinic, byBody),
      call("POST", "/api/v1/cases", { key: clinic.key, body: byHeader, headers: withKey(key) }),
      createDynamic(clinic, dynamic, key),
      call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body: escalate, headers: withKey(key) }),
      call("POST", "/api/v1/customer-dynamic-case-form", { key: clinic.key, body: form, headers: withKey(key) }),
      act(clinic, "UPDATE_PROFILE", { email, city: "Oakland" }, key),
      act(clinic, "UPDATE_EMAIL", { currentEmail: email, newEmail: `new.${email}` }, key)
    ]
    for (const operation of operations) {
      const answers = yield* atOnce(20, operation)
      const later = yield* operation
      assert.strictEqual(later.status, 200)
      for (const { json, status } of answers) assert.deepStrictEqual([status, json], [200, later.json])
    }
    assert.strictEqual((yield* casesOf(clinic)).length, 4)
    const detail = (yield* admin("GET", `/cases/${caseId}`)).json
    assert.deepStrictEqual([detail.formResponses.length, detail.escalations.length], [2, 1])
  })

  it("the same request with its ids in upper case is the same request", function* () {
    const clinic = yield* makeClinic
    const { caseId } = yield* patientOf(clinic)
    const body = caseBody(clinic)
    const form = (id: string) => ({
      caseId: id,
      formTitle: "Follow-up",
      questions: [{ questionId: "q", question: "How are you?", type: "TEXT", answer: "Fine" }]
    })
    const products = body.products.map((product) => ({ ...product, id: product.id.toUpperCase() }))
    for (const [path, first, second] of [
      ["/api/v1/cases", body, { ...body, products }],
      ["/api/v1/customer-dynamic-case-form", form(caseId), form(caseId.toUpperCase())]
    ] as const) {
      const headers = withKey(newKey())
      const created = yield* call("POST", path, { key: clinic.key, body: first, headers })
      const repeated = yield* call("POST", path, { key: clinic.key, body: second, headers })
      assert.deepStrictEqual([created.status, repeated.status, repeated.json], [200, 200, created.json])
    }
  })

  it("a caller who hangs up in the middle and asks again gets the one case", function* () {
    const clinic = yield* makeClinic
    const key = newKey()
    const body = caseBody(clinic, { idempotencyKey: key })
    yield* whileCasesAreLocked(
      Effect.gen(function* () {
        const request = yield* Effect.forkChild(createCase(clinic, body))
        yield* untilCaseInsertWaits
        yield* Fiber.interrupt(request)
      })
    )
    const [claim] = yield* claimOf(clinic)
    const repeated = yield* createCase(clinic, body)
    assert.deepStrictEqual([repeated.status, repeated.json.data], [200, { caseId: claim?.ids.caseId }])
    assert.strictEqual((yield* casesOf(clinic)).length, 1)
  })

  it("UPDATE_EMAIL to a taken email: with a key the same 400 as without, and the key stays free", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const [{ email }, existing, foreign] = [yield* patientOf(clinic), yield* patientOf(clinic), yield* patientOf(other)]
    const key = newKey()
    for (const newEmail of [existing.email, foreign.email]) {
      const data = { currentEmail: email, newEmail }
      const without = yield* call("POST", "/api/v1/users", {
        key: clinic.key,
        body: { action: "UPDATE_EMAIL", data }
      })
      yield* expectAnswer(act(clinic, "UPDATE_EMAIL", data, key), 400, without.json)
      assert.include(without.json.message, "already exists")
    }
    const moved = yield* act(clinic, "UPDATE_EMAIL", { currentEmail: email, newEmail: `new.${email}` }, key)
    assert.strictEqual(moved.status, 200)
  })

  it("bodies that differ only in the password, or in the order of fields, are the same body", function* () {
    const clinic = yield* makeClinic
    const body = dynamicBody({ password: "correct horse" })
    const key = newKey()
    const first = yield* createDynamic(clinic, body, key)
    const reordered = Object.fromEntries(Object.entries({ ...body, password: "battery staple" }).reverse())
    assert.deepStrictEqual((yield* createDynamic(clinic, reordered, key)).json, first.json)
    const conflict = yield* createDynamic(clinic, { ...body, lastName: "Other" }, key)
    assert.deepStrictEqual([conflict.status, conflict.json.code], [409, "IDEMPOTENCY_ERROR"])
  })

  it("a refused dynamic case leaves its key free", function* () {
    const clinic = yield* makeClinic
    const key = newKey()
    const body = dynamicBody()
    const refused = yield* createDynamic(clinic, { ...body, dob: "2990-01-01" }, key)
    assert.strictEqual(refused.status, 400)
    assert.deepStrictEqual(yield* claimOf(clinic), [])
    assert.strictEqual((yield* createDynamic(clinic, body, key)).status, 200)
  })
})
