import { randomBytes } from "node:crypto"
import { until } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { calendarEvent, cancelEvent, createEvent, eventsOf } from "./harness/calendar.ts"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { submitCaseForm } from "./harness/dynamicCases.ts"
import { addEndpoint, endpoints } from "./harness/endpoints.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { testsOn } from "./harness/testsOn.ts"

const small = { QUOTA_EVENTS: "5", QUOTA_KEPT_ANSWERS: "3", QUOTA_DOCUMENTS_MIB: "1", RATE_LIMIT_WRITES: "100000" }

const fileForm = (caseId: string, bytes: number) => ({
  caseId,
  formTitle: "Identity",
  questions: [
    {
      questionId: "q-1",
      question: "Your passport?",
      type: "FILE",
      required: true,
      phi: true,
      answer: [
        {
          name: "passport.txt",
          contentType: "text/plain",
          data: Buffer.from(randomBytes(bytes / 2).toString("hex")).toString("base64")
        }
      ]
    }
  ]
})

const textForm = (caseId: string) => ({
  caseId,
  formTitle: "Weight",
  questions: [{ questionId: "q-1", question: "Weight?", type: "TEXT", required: true, phi: true, answer: "185" }]
})

testsOn(Suite.layerWith(small), "quotas", (it) => {
  type Answer = Effect.Success<ReturnType<typeof createCase>>

  const usageOf = ({ organizationId }: Clinic) =>
    Effect.map(
      admin("GET", `/organizations/${organizationId}/usage`),
      ({ json }): ReadonlyArray<{ service: string; kind: string; used: number; allowed: number; unit: string }> =>
        json.data
    )
  const usedOf = (clinic: Clinic, kind: string, service = "cases") =>
    Effect.map(usageOf(clinic), (all) => all.find((row) => row.kind === kind && row.service === service)?.used)

  const assertReached = ({ headers, json, status }: Answer, message: RegExp) => {
    assert.deepInclude(json, { status: 429, success: false, error: "Quota reached", retryAfter: 3600 })
    assert.match(json.message, message)
    assert.deepStrictEqual([status, headers.get("retry-after")], [429, "3600"])
  }

  // Stored data is counted after some seconds, and all processes know the count some seconds later.
  const untilKnown = (answer: ReturnType<typeof createCase>, isReached: boolean) =>
    until(answer, ({ status }) => (status === 429) === isReached)

  it("events: an organization at the quota is refused further events, and only it, until events are deleted", function* () {
    const { advance } = yield* SuiteTime
    const [clinic, bystander] = [yield* makeClinic, yield* makeClinic]
    const created = yield* Effect.replicateEffect(
      Effect.suspend(() => createCase(clinic, caseBody(clinic))),
      5
    )
    for (const { status } of created) assert.strictEqual(status, 200)
    const caseId = String(created[0]?.json.data.caseId)
    yield* until(
      inDatabase("cases", (sql) => sql`SELECT FROM cases.events WHERE organization_id = ${clinic.organizationId}`),
      ({ length }) => length === 5
    )
    yield* advance("11 seconds")
    const create = Effect.suspend(() => createCase(clinic, caseBody(clinic)))
    const refused = yield* untilKnown(create, true)
    assertReached(refused, /^As many events as may be are kept for 30 days/)
    assert.match(refused.headers.get("ratelimit") ?? "", /^"WRITES";r=\d+;t=\d+$/)
    assert.isAtLeast((yield* usedOf(clinic, "EVENTS")) ?? 0, 5)
    const { key } = clinic
    const event = {
      action: "CREATE_CALENDAR_EVENT",
      title: "Call",
      start: "2060-01-01T10:00:00Z",
      end: "2060-01-01T11:00:00Z"
    }
    assertReached(yield* call("POST", `/api/v1/cases/${caseId}`, { key, body: event }), /events/)
    // Writes without events, reads, and other organizations are not affected.
    assert.strictEqual((yield* submitCaseForm(clinic, textForm(caseId))).status, 200)
    assert.strictEqual((yield* endpoints("POST", clinic, "", { body: { url: "https://a.example/" } })).status, 201)
    assert.strictEqual((yield* call("GET", "/api/v1/events", { key })).status, 200)
    assert.strictEqual((yield* createCase(bystander, caseBody(bystander))).status, 200)
    // Deletes as the hourly clean-up does.
    yield* inDatabase("cases", (sql) => sql`DELETE FROM cases.events WHERE organization_id = ${clinic.organizationId}`)
    yield* advance("2 minutes")
    assert.strictEqual((yield* untilKnown(create, false)).status, 200)
  })

  it("stored answers: cancellations with a new key still work at the quota", function* () {
    const { advance } = yield* SuiteTime
    const clinic = yield* makeClinic
    const caseId = String((yield* createCase(clinic, caseBody(clinic))).json.data.caseId)
    const create = (name: string) => createEvent(clinic, caseId, calendarEvent(), { "idempotency-key": name })
    for (const name of ["first", "second", "third"]) assert.strictEqual((yield* create(name)).status, 200)
    yield* advance("11 seconds")
    let count = 0
    const next = Effect.suspend(() => {
      count += 1
      return create(`next ${count}`)
    })
    assertReached(yield* untilKnown(next, true), /^As many answers as may be are kept/)
    const [event] = yield* eventsOf(clinic, caseId)
    const cancel = cancelEvent(clinic, caseId, event.id, { "idempotency-key": "cancel" })
    const answers = [yield* cancel, yield* cancel]
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 200]
    )
    assertReached(yield* next, /^As many (answers|events) as may be are kept/)
  })

  it("stored answers and files: at the quota a new key or file is refused; known keys and requests without one work", function* () {
    const { advance } = yield* SuiteTime
    const [clinic, bystander] = [yield* makeClinic, yield* makeClinic]
    const { json } = yield* createCase(clinic, caseBody(clinic))
    const caseId = String(json.data.caseId)
    const { id } = yield* addEndpoint(clinic)
    const rotate = (name: string, owner = clinic, endpointId = id) =>
      endpoints("POST", owner, `/${endpointId}/rotate-secret`, { headers: { "idempotency-key": name } })
    const first = yield* rotate("first")
    for (const name of ["second", "third"]) assert.strictEqual((yield* rotate(name)).status, 200)
    const file = fileForm(caseId, 600_000)
    for (let form = 0; form < 2; form += 1) assert.strictEqual((yield* submitCaseForm(clinic, file)).status, 200)
    yield* advance("11 seconds")
    let count = 0
    const next = Effect.suspend(() => {
      count += 1
      return rotate(`next ${count}`)
    })
    assertReached(yield* untilKnown(next, true), /^As many answers as may be are kept/)
    yield* expectAnswer(rotate("first"), 200, first.json)
    assert.strictEqual((yield* endpoints("POST", clinic, `/${id}/rotate-secret`)).status, 200)
    assertReached(yield* submitCaseForm(clinic, file), /^As many bytes of files as may be are stored/)
    assert.strictEqual((yield* submitCaseForm(clinic, textForm(caseId))).status, 200)
    const other = yield* addEndpoint(bystander)
    assert.strictEqual((yield* rotate("first", bystander, other.id)).status, 200)
    const usage = yield* usageOf(clinic)
    assert.sameDeepMembers(
      usage.map(({ allowed, kind, service, unit }) => [service, kind, unit, allowed]),
      [
        ...["auth", "cases", "payments", "scheduling"].map((service) => [service, "KEPT_ANSWERS", "ROWS", 3]),
        ["cases", "EVENTS", "ROWS", 5],
        ["cases", "DELIVERIES", "ROWS", 5_000_000],
        ["cases", "DOCUMENTS", "BYTES", 1024 * 1024]
      ]
    )
    assert.strictEqual(yield* usedOf(clinic, "DOCUMENTS"), 1_200_000)
    assert.strictEqual(yield* usedOf(clinic, "KEPT_ANSWERS", "auth"), 0)
  })
})

testsOn(Suite.layerWith({ RATE_LIMIT_WRITES: "300" }), "the limit of writes", (it) => {
  it("an organization beyond the rate limit is refused, and others are not affected", function* () {
    const [clinic, bystander] = [yield* makeClinic, yield* makeClinic]
    const endpoint = yield* addEndpoint(clinic)
    const bystanderEndpoint = yield* addEndpoint(bystander)
    const rotate = (owner: Clinic, id: string) => endpoints("POST", owner, `/${id}/rotate-secret`)
    const flood = yield* Effect.forkChild(
      Effect.replicateEffect(rotate(clinic, String(endpoint.id)), 400, { concurrency: 40 })
    )
    for (let write = 0; write < 20; write += 1) {
      assert.strictEqual((yield* rotate(bystander, String(bystanderEndpoint.id))).status, 200)
    }
    const answers = yield* Fiber.join(flood)
    const refused = answers.filter(({ status }) => status === 429)
    // One of the writes was the creation of the endpoint.
    assert.lengthOf(refused, 101)
    for (const { headers, json } of refused) {
      assert.deepInclude(json, { error: "Rate limit exceeded", retryAfter: 60 })
      assert.strictEqual(headers.get("retry-after"), "60")
    }
    assert.strictEqual((yield* rotate(bystander, String(bystanderEndpoint.id))).status, 200)
    assert.strictEqual((yield* endpoints("GET", clinic, "")).status, 200)
  })
})
