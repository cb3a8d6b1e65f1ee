import { randomUUID } from "node:crypto"
import { StepName } from "@care/domain/cases"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { appointmentsOf, book, bookingBody, cancel, eventTypeId, openSlot } from "./harness/appointments.ts"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { type Clinic, caseBody, createCase, makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { createAbandonedCase } from "./harness/gatewayEvents.ts"
import { idIn } from "./harness/paymentSetup.ts"
import { closeCase, orderBody, placeOrder } from "./harness/placeOrder.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

interface TestCase {
  readonly sandbox: Clinic
  readonly caseId: string
  readonly email: string
}

const path = (caseId: string) => `/api/v1/test/cases/${caseId}/simulate`

const simulate = ({ caseId, sandbox }: TestCase, body: object, key?: string) =>
  call("POST", path(caseId), {
    key: sandbox.key,
    body,
    ...(key !== undefined && { headers: { "idempotency-key": key } })
  })

const possibleFor = ({ caseId, sandbox }: TestCase) =>
  Effect.map(call("GET", path(caseId), { key: sandbox.key }), ({ json }): ReadonlyArray<StepName> => json.data.possible)

/** Takes steps that are possible, one after the other, and returns the last answer. */
const steps = Effect.fnUntraced(function* (testCase: TestCase, ...bodies: ReadonlyArray<object>) {
  let last = yield* call("GET", path(testCase.caseId), { key: testCase.sandbox.key })
  for (const body of bodies) {
    last = yield* simulate(testCase, body)
    assert.strictEqual(last.status, 200, JSON.stringify([body, last.json]))
  }
  return last.json.data
})

const assigned = Effect.fnUntraced(function* (sandbox: Clinic, changes: object = {}) {
  const body = caseBody(sandbox, { ...changes })
  const caseId: string = (yield* createCase(sandbox, body)).json.data.caseId
  yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "ASSIGNED")
  return { sandbox, caseId, email: body.user.email }
})

const after = (...bodies: ReadonlyArray<object>) =>
  Effect.fnUntraced(function* (sandbox: Clinic) {
    const testCase = yield* assigned(sandbox)
    yield* steps(testCase, ...bodies)
    return testCase
  })

const ordersOf = ({ caseId, sandbox }: TestCase) =>
  Effect.map(call("GET", `/api/v1/cases/${caseId}/orders`, { key: sandbox.key }), ({ json }) => json.data)

const ordered = (...bodies: ReadonlyArray<object>) =>
  Effect.fnUntraced(function* (sandbox: Clinic) {
    const testCase = yield* assigned(sandbox)
    yield* placeOrder(sandbox, testCase.caseId, orderBody())
    yield* until(ordersOf(testCase), ([order]) => order.status === "SUBMITTED")
    yield* steps(testCase, ...bodies)
    return testCase
  })

const abandoned = (...bodies: ReadonlyArray<object>) =>
  Effect.fnUntraced(function* (sandbox: Clinic) {
    const intent = yield* call("POST", "/api/v1/payments/intent", { key: sandbox.key, body: { amount: 299 } })
    const caseId = yield* createAbandonedCase(sandbox, idIn(intent.json.data.paymentIntentSecret))
    const testCase = { sandbox, caseId, email: "" }
    yield* steps(testCase, ...bodies)
    if (bodies.length > 0) yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status !== "OPEN")
    return testCase
  })

// A case that does not wait for its payment.
const unpaid = (...bodies: ReadonlyArray<object>) =>
  Effect.fnUntraced(function* (sandbox: Clinic) {
    const intent = yield* call("POST", "/api/v1/payments/intent", { key: sandbox.key, body: { amount: 299 } })
    const providerReference = { type: "PAYMENT_INTENT", id: idIn(intent.json.data.paymentIntentSecret) }
    const testCase = yield* assigned(sandbox, { payment: { amount: 299, currency: "USD", providerReference } })
    yield* steps(testCase, ...bodies)
    return testCase
  })

const booked = Effect.fnUntraced(function* (sandbox: Clinic) {
  const testCase = yield* assigned(sandbox)
  const answer = yield* book(sandbox, bookingBody(testCase.email, yield* openSlot(sandbox)))
  assert.strictEqual(answer.status, 200)
  return testCase
})

const escalated = Effect.fnUntraced(function* (sandbox: Clinic) {
  const testCase = yield* assigned(sandbox)
  const escalations = [{ type: "support", title: "Waiting for patient reply" }]
  yield* call("POST", `/api/v1/cases/${testCase.caseId}`, {
    key: sandbox.key,
    body: { action: "ADD_ESCALATION", escalations }
  })
  return testCase
})

const closed = Effect.fnUntraced(function* (sandbox: Clinic) {
  const testCase = yield* assigned(sandbox)
  yield* closeCase(sandbox, testCase.caseId)
  return testCase
})

const paid = { step: "PAYMENT_SUCCEEDED" }
const held = { step: "PAYMENT_AUTHORIZED" }
const shipped = { step: "ORDER_SHIPPED", trackingId: "1Z999AA10123456784", carrierName: "UPS" }

/** Situations of a case, with what is possible in each beside comments and failing webhooks. */
const situations: Readonly<
  Record<string, readonly [(sandbox: Clinic) => Effect.Effect<TestCase, unknown, Suite>, ReadonlyArray<StepName>]>
> = {
  assigned: [assigned, ["ASSIGN", "START", "APPROVE", "REJECT", "NO_DECISION"]],
  "in progress": [after({ step: "START" }), ["APPROVE", "REJECT", "NO_DECISION"]],
  approved: [after({ step: "APPROVE" }), ["APPROVE", "REJECT", "NO_DECISION"]],
  closed: [closed, []],
  escalated: [escalated, ["ASSIGN", "START", "APPROVE", "REJECT", "NO_DECISION", "ESCALATION_COMPLETED"]],
  ordered: [
    ordered(),
    [
      "ASSIGN",
      "START",
      "APPROVE",
      "REJECT",
      "NO_DECISION",
      "ORDER_SHIPPED",
      "ORDER_DELIVERED",
      "ORDER_REFUSED",
      "ORDER_REPLACED"
    ]
  ],
  shipped: [
    ordered({ step: "START" }, shipped),
    ["APPROVE", "REJECT", "NO_DECISION", "ORDER_DELIVERED", "ORDER_REFUSED"]
  ],
  delivered: [ordered({ step: "START" }, shipped, { step: "ORDER_DELIVERED" }), ["APPROVE", "REJECT", "NO_DECISION"]],
  "order refused": [
    ordered({ step: "START" }, { step: "ORDER_REFUSED", message: "Out of stock" }),
    ["APPROVE", "REJECT", "NO_DECISION", "ORDER_ACCEPTED", "ORDER_SHIPPED", "ORDER_DELIVERED", "ORDER_REPLACED"]
  ],
  abandoned: [abandoned(), ["PAYMENT_SUCCEEDED", "PAYMENT_FAILED", "PAYMENT_AUTHORIZED"]],
  "paid for by a held amount": [
    unpaid(held),
    ["ASSIGN", "START", "APPROVE", "REJECT", "NO_DECISION", "PAYMENT_SUCCEEDED", "PAYMENT_CANCELED"]
  ],
  "not paid for in time": [
    unpaid(held, { step: "PAYMENT_CANCELED" }),
    ["ASSIGN", "START", "APPROVE", "REJECT", "NO_DECISION"]
  ],
  paid: [
    abandoned(paid),
    ["ASSIGN", "START", "APPROVE", "REJECT", "NO_DECISION", "PAYMENT_REFUNDED", "DISPUTE_OPENED"]
  ],
  disputed: [
    abandoned(paid, { step: "DISPUTE_OPENED" }),
    ["ASSIGN", "START", "APPROVE", "REJECT", "NO_DECISION", "DISPUTE_WON", "DISPUTE_LOST"]
  ],
  "dispute lost": [
    abandoned(paid, { step: "DISPUTE_OPENED" }, { step: "DISPUTE_LOST" }),
    ["ASSIGN", "START", "APPROVE", "REJECT", "NO_DECISION"]
  ],
  booked: [booked, ["ASSIGN", "START", "APPROVE", "REJECT", "NO_DECISION", "APPOINTMENT_MOVED"]]
}

const bodyOf = Effect.fnUntraced(function* (step: StepName, { sandbox }: TestCase) {
  switch (step) {
    case "COMMENT":
      return { step, text: "How are you?" }
    case "ORDER_REPLACED":
      return { step, replacementReason: "Out of stock" }
    case "APPOINTMENT_BOOKED":
    case "APPOINTMENT_MOVED":
      return { step, eventTypeId, startTime: yield* openSlot(sandbox, 5) }
    case "WEBHOOKS_FAIL":
      return { step, for: "PT1S" }
    default:
      return { step }
  }
})

const newSandbox = Effect.flatMap(makeClinic, makeSandbox)

// A suite of their own: appointments take the first open slots of the calendar, which other files count on.
testsOn(Suite.layer, "simulated steps", (it) => {
  for (const [name, [make, expected]] of Object.entries(situations)) {
    it(`of a case that is ${name}: what is possible succeeds, and the rest is 409`, function* () {
      const sandbox = yield* newSandbox
      const testCase = yield* make(sandbox)
      const possible = yield* possibleFor(testCase)
      const always = name === "closed" ? [] : ["APPOINTMENT_BOOKED"]
      const all = new Set<string>([...expected, ...always, "COMMENT", "WEBHOOKS_FAIL"])
      assert.deepStrictEqual(
        possible,
        StepName.literals.filter((step) => all.has(step))
      )
      for (const step of StepName.literals.filter((each) => !possible.includes(each))) {
        const refused = yield* simulate(testCase, yield* bodyOf(step, testCase))
        assert.strictEqual(refused.status, 409, step)
        assert.include(refused.json.error, `${step} is impossible`)
        assert.deepStrictEqual(refused.json.possible, possible)
      }
      for (const step of possible) {
        const fresh = yield* make(sandbox)
        const answer = yield* simulate(fresh, yield* bodyOf(step, fresh))
        assert.strictEqual(answer.status, 200, `${step} ${JSON.stringify(answer.json)}`)
        // A case that was abandoned is assigned soon.
        if (name !== "abandoned") assert.deepStrictEqual(answer.json.data.possible, yield* possibleFor(fresh), step)
      }
    }, 120_000)
  }

  it("are done by the sandbox's provider, the pharmacy and Stripe, with their events, and the audit names the key", function* () {
    const sandbox = yield* newSandbox
    const { received, url } = yield* receiveEvents
    yield* addEndpoint(sandbox, { url })
    const testCase = yield* ordered(
      { step: "START" },
      { step: "COMMENT", text: "How are you?" },
      { step: "APPROVE", medInfo: [{ medicine: "Semaglutide 0.25 mg", refillCount: 2 }] },
      shipped,
      { step: "ORDER_DELIVERED" }
    )(sandbox)
    const { json } = yield* admin("GET", `/cases/${testCase.caseId}`)
    assert.strictEqual(json.status, "APPROVED")
    assert.strictEqual(json.decisions[0].medInfo[0].medicine, "Semaglutide 0.25 mg")
    const provider = json.assignedTo.id
    const activity = (yield* admin("GET", `/cases/${testCase.caseId}/activity`)).json.data
    const actorOf = (type: string) => activity.findLast((each: { readonly type: string }) => each.type === type)?.actor
    for (const type of ["CASE_STARTED", "COMMENT_ADDED", "DECISION_ADDED"]) {
      assert.deepStrictEqual(actorOf(type), { type: "USER", id: provider }, type)
    }
    assert.deepStrictEqual(actorOf("ORDER_CHANGED"), { type: "PHARMACY", id: null })
    const sent = ["case.decision.added", "case.order.updated"]
    yield* until(
      Effect.sync(() => received.map(({ body }): string => JSON.parse(body).type)),
      (types) => sent.every((type) => types.includes(type))
    )
    const records = yield* until(
      admin("GET", `/audit?organizationId=${sandbox.organizationId}&action=STEP_SIMULATED`),
      ({ json: { data } }) => data.length === 5
    )
    assert.deepStrictEqual(records.json.data[0].actor, { type: "API_KEY", id: sandbox.keyId })
  })

  it("take effect once for each idempotency key, and of parallel ones that exclude each other one succeeds", function* () {
    const testCase = yield* assigned(yield* newSandbox)
    const key = randomUUID()
    const started = yield* Effect.all(
      Array.from({ length: 5 }, () => simulate(testCase, { step: "START" }, key)),
      { concurrency: "unbounded" }
    )
    for (const { json, status } of started) {
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(json, started[0]?.json)
    }
    assert.strictEqual((yield* simulate(testCase, { step: "REJECT" }, key)).status, 409)
    const other = yield* assigned(testCase.sandbox)
    const statuses = yield* Effect.map(
      Effect.all(
        Array.from({ length: 5 }, () => simulate(other, { step: "START" })),
        { concurrency: "unbounded" }
      ),
      (answers) => answers.map(({ status }) => status).sort()
    )
    assert.deepStrictEqual(statuses, [200, 409, 409, 409, 409])
    const approveKey = randomUUID()
    for (const _ of [1, 2]) {
      assert.strictEqual((yield* simulate(other, { step: "APPROVE" }, approveKey)).status, 200)
    }
    const { json } = yield* admin("GET", `/cases/${other.caseId}`)
    assert.strictEqual(json.decisions.length, 1)
  })

  it("in parallel a payment is paid once, and a repeated refund is one", function* () {
    const testCase = yield* abandoned()(yield* newSandbox)
    const answers = yield* Effect.all(
      Array.from({ length: 5 }, () => simulate(testCase, paid)),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
    const key = randomUUID()
    const refund = { step: "PAYMENT_REFUNDED", amount: 99 }
    for (const _ of [1, 2]) assert.strictEqual((yield* simulate(testCase, refund, key)).status, 200)
    const { json } = yield* call("GET", `/api/v1/cases/${testCase.caseId}/payments`, { key: testCase.sandbox.key })
    assert.deepInclude(json.data[0], { status: "REFUND", refunded: 99 })
    const tooHigh = yield* simulate(testCase, { step: "PAYMENT_REFUNDED", amount: 500 })
    assert.deepInclude(tooHigh.json, { status: 400, error: "amount, must be at most 200 USD" })
  })

  const paymentOf = ({ caseId, sandbox }: TestCase) =>
    Effect.map(call("GET", `/api/v1/cases/${caseId}/payments`, { key: sandbox.key }), ({ json }) => json.data[0])

  it("an operator captures, releases and refunds what is only simulated, and Stripe is not asked", function* () {
    const sandbox = yield* newSandbox
    const operate = Effect.fnUntraced(function* (testCase: TestCase, ...operations: ReadonlyArray<[string, object]>) {
      const { paymentId } = yield* paymentOf(testCase)
      for (const [name, body] of operations) {
        const { json, status } = yield* admin("POST", `/payments/${paymentId}/${name}`, body)
        assert.strictEqual(status, 200, JSON.stringify([name, json]))
      }
      const { gateway, status } = (yield* admin("GET", `/payments/${paymentId}`)).json
      return [status, gateway.received, gateway.refunded]
    })
    const refundedTwice = yield* operate(
      yield* unpaid(paid)(sandbox),
      ["refund", { amount: 99 }],
      ["refund", { amount: 100, refunded: 99 }]
    )
    assert.deepStrictEqual(refundedTwice, ["REFUND", 299, 199])
    const captured = yield* operate(yield* unpaid(held)(sandbox), ["capture", { amount: 200 }], ["refund", {}])
    assert.deepStrictEqual(captured, ["REFUND", 200, 200])
    const released = yield* operate(yield* unpaid(held)(sandbox), ["release", {}])
    assert.deepStrictEqual(released, ["CANCELED", 0, 0])
  })

  it("a held amount is captured before it expires, by the sandbox's clock, or not at all", function* () {
    const sandbox = yield* newSandbox
    const [kept, captured] = [yield* unpaid(held)(sandbox), yield* unpaid(held, paid)(sandbox)]
    const { captureBefore } = yield* paymentOf(kept)
    const advance = (to: number) =>
      call("POST", "/api/v1/test/clock/advance", { key: sandbox.key, body: { to: new Date(to).toISOString() } })
    yield* advance(Date.parse(captureBefore) - 60_000)
    assert.strictEqual((yield* paymentOf(kept)).status, "AUTHORIZED")
    yield* advance(Date.parse(captureBefore) + 60_000)
    assert.strictEqual((yield* paymentOf(kept)).status, "CANCELED")
    assert.strictEqual((yield* paymentOf(captured)).status, "PAID")
  })

  it("of an appointment: it is booked at the provider, moved, and missed when its time has come", function* () {
    const testCase = yield* assigned(yield* newSandbox)
    const { sandbox } = testCase
    const startTime = yield* openSlot(sandbox)
    yield* steps(testCase, { step: "APPOINTMENT_BOOKED", eventTypeId, startTime })
    for (const never of ["2020-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]) {
      const refused = yield* simulate(testCase, { step: "APPOINTMENT_MOVED", startTime: never })
      assert.deepStrictEqual([refused.status, /^startTime, /.test(refused.json.error)], [400, true], never)
    }
    const moved = new Date(Date.parse(startTime) + 86_400_000).toISOString()
    yield* steps(testCase, { step: "APPOINTMENT_MOVED", startTime: moved })
    const [event] = yield* appointmentsOf(sandbox, testCase.email)
    assert.strictEqual(event.start, moved)
    assert.notInclude(yield* possibleFor(testCase), "APPOINTMENT_MISSED")
    const ofAnother = yield* booked(sandbox)
    yield* steps(ofAnother, { step: "APPOINTMENT_MOVED", startTime: moved })
    const [other] = yield* appointmentsOf(sandbox, ofAnother.email)
    const cancelled = yield* cancel(sandbox, { email: ofAnother.email, appointmentId: other.id })
    assert.strictEqual(cancelled.status, 200, JSON.stringify(cancelled.json))
    yield* call("POST", "/api/v1/test/clock/advance", { key: sandbox.key, body: { by: "P30D" } })
    assert.include(yield* possibleFor(testCase), "APPOINTMENT_MISSED")
    yield* steps(testCase, { step: "APPOINTMENT_MISSED" })
    const { json } = yield* call("GET", `/api/v1/cases/${testCase.caseId}/escalations`, { key: sandbox.key })
    assert.strictEqual(json.data[0].title, "Missed appointment -reschedule")
  })

  it("of a case that nobody can have: the sandbox gets one provider, and goes on", function* () {
    const sandbox = yield* newSandbox
    const cases = yield* Effect.all([assigned(sandbox), assigned(sandbox)])
    const membersPath = `/organizations/${sandbox.organizationId}/members`
    const providers = Effect.map(
      admin("GET", membersPath),
      ({ json: { data } }): ReadonlyArray<string> =>
        data.flatMap(({ id, role }: Record<string, string>) => (role === "PROVIDER" ? [id] : []))
    )
    for (const id of yield* providers) yield* admin("PATCH", `/users/${id}`, { role: "SUPPORT" })
    for (const testCase of cases) {
      const { caseId } = testCase
      yield* until(admin("GET", `/cases/${caseId}`), ({ json }) => json.status === "OPEN")
      assert.notInclude(yield* possibleFor(testCase), "START")
      const unknown = yield* simulate(testCase, { step: "ASSIGN", providerId: randomUUID() })
      assert.strictEqual(unknown.status, 400)
    }
    assert.deepStrictEqual(yield* providers, [])
    yield* Effect.forEach(cases, (testCase) => steps(testCase, { step: "ASSIGN" }), { concurrency: "unbounded" })
    assert.lengthOf(yield* providers, 1)
    for (const testCase of cases) yield* steps(testCase, { step: "START" }, { step: "APPROVE" })
  })

  it("failing webhooks are not sent, and arrive when the time is over", function* () {
    const testCase = yield* assigned(yield* newSandbox)
    const { sandbox } = testCase
    const { received, url } = yield* receiveEvents
    yield* addEndpoint(sandbox, { url })
    yield* steps(testCase, { step: "WEBHOOKS_FAIL", for: "PT1H" }, { step: "REJECT" })
    const failed = inDatabase(
      "cases",
      (sql) =>
        sql`SELECT FROM cases.webhook_attempts WHERE organization_id = ${sandbox.organizationId} AND status = 500`
    )
    yield* until(failed, ({ length }) => length > 0)
    const hasArrived = Effect.sync(() => received.some(({ body }) => JSON.parse(body).type === "case.decision.added"))
    assert.isFalse(yield* hasArrived)
    yield* call("POST", "/api/v1/test/clock/advance", { key: sandbox.key, body: { by: "P1D" } })
    yield* until(hasArrived, (hasIt) => hasIt)
  })

  it("are refused to live keys, for foreign, unknown and malformed ids, and by malformed requests", function* () {
    const live = yield* makeClinic
    const sandbox = yield* makeSandbox(live)
    const testCase = yield* assigned(sandbox)
    const foreign = yield* assigned(yield* newSandbox)
    const body = { step: "START" }
    const { json, status } = yield* call("POST", path(testCase.caseId), { key: live.key, body })
    assert.strictEqual(status, 403)
    assert.strictEqual(json.error, "This operation needs a test key (cv_test_...)")
    for (const [caseId, expected] of [
      [foreign.caseId, 403],
      [randomUUID(), 404],
      ["none", 404]
    ] as const) {
      assert.strictEqual((yield* call("POST", path(caseId), { key: sandbox.key, body })).status, expected)
      assert.strictEqual((yield* call("GET", path(caseId), { key: sandbox.key })).status, expected)
    }
    const liveCase: string = (yield* createCase(live, caseBody(live))).json.data.caseId
    assert.strictEqual((yield* call("POST", path(liveCase), { key: sandbox.key, body })).status, 403)
    const unknown = randomUUID()
    for (const [wrong, error] of [
      [{ step: "FLY" }, /^step, must be one of ASSIGN, START/],
      [{}, /^step, must be one of ASSIGN, START/],
      [{ step: "COMMENT" }, /^text, Required/],
      [{ step: "ASSIGN", providerId: unknown }, /^providerId, must be a provider/],
      [{ step: "APPROVE", productId: unknown }, /^productId, must be a product/],
      [{ step: "WEBHOOKS_FAIL", for: "an hour" }, /^for, must be a duration/]
    ] as const) {
      const refused = yield* simulate(testCase, wrong)
      assert.strictEqual(refused.status, 400, JSON.stringify(wrong))
      assert.match(refused.json.error, error)
    }
  })
})
