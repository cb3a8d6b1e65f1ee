import { ownEvents, webhookEvents } from "@care/domain/webhooks"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { schemaErrors } from "./harness/assertDocumented.ts"
import { calendarEvent, cancelEvent, createEvent, eventsOf } from "./harness/calendar.ts"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { addEndpoint, endpoints } from "./harness/endpoints.ts"
import { type Clinic, caseBody, createCase, decisionBody, makeClinic, newPatient } from "./harness/fixtures.ts"
import { sendOrderUpdate } from "./harness/pharmacy.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { type ReceivedEvent, receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

// The marker in every text that is written in this test.
const canary = "kanarienvogel"

testsOn(Suite.shared, "what partners are told of", (it) => {
  const act = ({ key }: Clinic, caseId: string, action: string, body: object) =>
    call("POST", `/api/v1/cases/${caseId}`, { key, body: { action, ...body } })
  const newCase = (clinic: Clinic, changes: object = {}) =>
    Effect.map(createCase(clinic, caseBody(clinic, { ...changes })), ({ json }): string => json.data.caseId)
  const bodiesOf = (events: ReadonlyArray<ReceivedEvent>) => events.map(({ body }) => JSON.parse(body))

  it("each type of event arrives for its change, in order, signed, with exactly the documented fields", function* () {
    const clinic = yield* makeClinic
    const { arrived, received, url } = yield* receiveEvents
    const endpoint = yield* addEndpoint(clinic, { url })
    const { id: providerId } = (yield* admin("POST", `/organizations/${clinic.organizationId}/members`, {
      email: `${canary}.${clinic.organizationId}@example.com`,
      firstName: canary,
      lastName: canary,
      role: "PROVIDER",
      npi: "1234567893"
    })).json
    const user = { ...newPatient(), firstName: canary, lastName: canary, email: `${canary}@example.com` }
    const [product] = caseBody(clinic).products
    const form = { title: canary, questions: [{ question: canary, answer: canary, type: "TEXT", phi: true }] }
    const caseId = yield* newCase(clinic, { user, products: [{ ...product, form }] })

    // Waits until an event has arrived before the next change, and notes its data beside the case and its number.
    const expected: Array<[type: string, details: object]> = []
    const recordEvent = Effect.fnUntraced(function* (type: keyof typeof webhookEvents, details: object) {
      expected.push([type, details])
      yield* arrived(expected.length)
    })
    const assertAccepted = (response: { readonly status: number }) => assert.include([200, 201], response.status)
    yield* recordEvent("case.created", { status: "OPEN" })
    yield* recordEvent("case.assigned", { from: "OPEN", to: "ASSIGNED", providerId })

    const escalation = { type: "support", title: "Cancellation", note: canary }
    const escalated = yield* act(clinic, caseId, "ADD_ESCALATION", { escalations: [escalation] })
    const escalationId = escalated.json.data.escalations[0].id
    yield* recordEvent("case.escalation.added", { escalationId })
    assertAccepted(yield* admin("POST", `/escalations/${escalationId}/complete`))
    yield* recordEvent("case.escalation.completed", { escalationId })

    const orderId = (yield* placeOrder(clinic, caseId, orderBody({ diagnosis: canary }))).json.data.order.id
    yield* recordEvent("case.activity", { orderId })
    yield* recordEvent("case.order.updated", { orderId, status: "SUBMITTED" })
    assert.strictEqual(yield* sendOrderUpdate(orderId, { status: "SHIPPED", carrierName: canary }), 200)
    yield* recordEvent("case.order.updated", { orderId, status: "SHIPPED" })

    const confirmed = { caseId, amount: 10, paymentDate: "2026-03-01", status: "PAID", validUntil: "2026-04-01" }
    const body = { ...confirmed, description: canary }
    assertAccepted(yield* call("POST", "/api/v1/customer-payment-confirmation", { key: clinic.key, body }))
    const [{ paymentId }] = (yield* admin("GET", `/payments?caseId=${caseId}`)).json.data
    yield* recordEvent("case.payment.updated", { paymentId, status: "PAID" })

    assertAccepted(yield* createEvent(clinic, caseId, calendarEvent({ title: canary, description: canary })))
    const [{ id: eventId }] = yield* eventsOf(clinic, caseId)
    yield* recordEvent("case.appointment.booked", { eventId })
    assertAccepted(yield* cancelEvent(clinic, caseId, eventId))
    yield* recordEvent("case.appointment.cancelled", { eventId })

    const { productId } = clinic
    const closing = { productId, status: "CLOSE", reason: canary }
    assertAccepted(yield* act(clinic, caseId, "UPDATE_CASE_PRODUCT", { caseProductInput: closing }))
    yield* recordEvent("case.product.closed", { productId })

    // The start of work and comments make no events.
    assertAccepted(yield* admin("POST", `/cases/${caseId}/start`))
    assertAccepted(
      yield* admin("POST", `/cases/${caseId}/comments`, {
        authorUserId: providerId,
        text: canary,
        isRestricted: false
      })
    )
    const decided = yield* admin(
      "POST",
      `/cases/${caseId}/decisions`,
      decisionBody(providerId, { decisionText: canary, medInfo: [{ medicine: canary }] })
    )
    const sameStatus = { from: "APPROVED", to: "APPROVED" }
    yield* recordEvent("case.decision.added", { from: "IN_PROGRESS", to: "APPROVED", decisionId: decided.json.id })
    assertAccepted(yield* act(clinic, caseId, "CHANGE_CASE_STATUS", { status: "CLOSE", reason: canary }))
    yield* recordEvent("case.closed", sameStatus)
    assertAccepted(yield* act(clinic, caseId, "CHANGE_CASE_STATUS", { status: "REOPEN" }))
    yield* recordEvent("case.opened", sameStatus)

    const bodies = bodiesOf(received)
    const about = ({ data: { caseId: _, sequence: __, ...details }, type }: (typeof bodies)[number]) => [type, details]
    assert.deepStrictEqual(bodies.map(about), expected)
    assert.deepStrictEqual([...new Set(expected.map(([type]) => type))].sort(), Object.keys(webhookEvents).sort())
    const sequences = bodies.map(({ data }) => data.sequence)
    assert.deepStrictEqual(
      sequences,
      [...new Set(sequences)].sort((one, other) => one - other)
    )
    for (const { data } of bodies) assert.strictEqual(data.caseId, caseId)

    // The events of webhooks themselves.
    const closedReceiver = yield* receiveEvents
    closedReceiver.answer.status = 410
    const { id: goneId } = yield* addEndpoint(clinic, { url: closedReceiver.url, eventTypes: ["case.closed"] })
    assertAccepted(yield* endpoints("POST", clinic, `/${goneId}/test`))
    yield* arrived(expected.length + 1)
    assertAccepted(yield* endpoints("POST", clinic, `/${endpoint.id}/test`))
    yield* arrived(expected.length + 2)
    const deliveredBodies = bodiesOf([...closedReceiver.received, ...received.slice(expected.length)])
    assert.deepStrictEqual(
      deliveredBodies.map(({ data, type }) => [type, data]),
      [
        ["ping", { endpointId: goneId }],
        ["webhook.endpoint.disabled", { endpointId: goneId, reason: "GONE" }],
        ["ping", { endpointId: endpoint.id }]
      ]
    )
    assert.deepStrictEqual([...new Set(deliveredBodies.map(({ type }) => type))].sort(), Object.keys(ownEvents).sort())

    const ids = received.map(({ headers }) => headers["webhook-id"])
    assert.strictEqual(new Set(ids).size, received.length)
    for (const { body, headers } of received) {
      const event = new Webhook(endpoint.secret).verify(body, headers)
      assert.deepStrictEqual(Object.keys(Object(event)).sort(), ["data", "timestamp", "type"])
      const { type } = JSON.parse(body)
      const place = ["webhooks", type, "post", "requestBody", "content", "application/json", "schema"]
      assert.strictEqual(schemaErrors("partner", place, event), "", type)
    }
    // The marker can be read in the case, and is in no event.
    const detail = yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    assert.isAbove(JSON.stringify(detail.json).split(canary).length, 5)
    assert.notInclude(JSON.stringify([...received, ...closedReceiver.received]), canary)
  })

  it("a case that is created abandoned makes all events but that of its creation", function* () {
    const clinic = yield* makeClinic
    const { arrived, received, url } = yield* receiveEvents
    yield* addEndpoint(clinic, { url })
    const caseId = yield* newCase(clinic, { status: "ABANDONED" })
    const orderId = (yield* placeOrder(clinic, caseId)).json.data.order.id
    yield* arrived(2)
    const { productId } = clinic
    const caseProductInput = { productId, status: "CLOSE" }
    assert.strictEqual((yield* act(clinic, caseId, "UPDATE_CASE_PRODUCT", { caseProductInput })).status, 200)
    for (const status of ["CLOSE", "REOPEN", "OPEN"]) {
      assert.strictEqual((yield* act(clinic, caseId, "CHANGE_CASE_STATUS", { status })).status, 200)
    }
    yield* arrived(6)
    const sameStatus = { from: "ABANDONED", to: "ABANDONED" }
    const expectedEvents = [
      ["case.activity", { caseId, sequence: 2, orderId }],
      ["case.order.updated", { caseId, sequence: 3, orderId, status: "SUBMITTED" }],
      ["case.product.closed", { caseId, sequence: 4, productId }],
      ["case.closed", { caseId, sequence: 5, ...sameStatus }],
      ["case.opened", { caseId, sequence: 6, ...sameStatus }],
      ["case.opened", { caseId, sequence: 7, from: "ABANDONED", to: "OPEN" }]
    ]
    const pairs = (events: ReadonlyArray<{ readonly type: string; readonly data: object }>) =>
      events.map(({ data, type }) => [type, data])
    assert.deepStrictEqual(pairs(bodiesOf(received)), expectedEvents)
    const { json } = yield* call("GET", `/api/v1/events?caseId=${caseId}`, { key: clinic.key })
    assert.deepStrictEqual(pairs(json.data), expectedEvents)
  })

  it("events of test cases are listed, and come only to endpoints that ask for them", function* () {
    const clinic = yield* makeClinic
    const [all, usual] = [yield* receiveEvents, yield* receiveEvents]
    yield* addEndpoint(clinic, { url: all.url, includeTestCases: true })
    yield* addEndpoint(clinic, { url: usual.url })
    const tested = yield* newCase(clinic, { isTest: true })
    yield* all.arrived(1)
    const caseId = yield* newCase(clinic)
    yield* all.arrived(2)
    yield* usual.arrived(1)
    const casesOf = (events: ReadonlyArray<ReceivedEvent>) => bodiesOf(events).map(({ data }) => data.caseId)
    assert.deepStrictEqual([casesOf(all.received), casesOf(usual.received)], [[tested, caseId], [caseId]])
    const { json } = yield* until(
      call("GET", "/api/v1/events", { key: clinic.key }),
      (answer) => answer.json.data.length === 2
    )
    assert.deepStrictEqual(
      json.data.map(({ data, isTest }: { readonly data: { readonly caseId: string }; readonly isTest: boolean }) => [
        data.caseId,
        isTest
      ]),
      [
        [tested, true],
        [caseId, false]
      ]
    )
  })

  it("the list is in the order of delivery, page by page, and can be restricted to a case", function* () {
    const clinic = yield* makeClinic
    const list = (query: string) =>
      Effect.map(call("GET", `/api/v1/events${query}`, { key: clinic.key }), ({ json }) => json)
    const cases = [yield* newCase(clinic), yield* newCase(clinic), yield* newCase(clinic)]
    const all = yield* until(list(""), ({ data }) => data.length === 3)
    const ids = all.data.map(({ id }: { readonly id: string }) => id)
    assert.strictEqual(all.nextCursor, null)
    assert.deepStrictEqual(
      all.data.map(({ data }: { readonly data: { readonly caseId: string } }) => data.caseId),
      cases
    )
    const first = yield* list("?limit=2")
    assert.deepStrictEqual([first.data, first.nextCursor], [all.data.slice(0, 2), ids[1]])
    const rest = yield* list(`?limit=2&after=${first.nextCursor}`)
    assert.deepStrictEqual([rest.data, rest.nextCursor], [all.data.slice(2), null])
    assert.deepStrictEqual((yield* list(`?after=${ids[2]}`)).data, [])
    assert.deepStrictEqual((yield* list(`?caseId=${cases[1]}`)).data, [all.data[1]])
    // Also after an event of another case.
    assert.deepStrictEqual((yield* list(`?caseId=${cases[2]}&after=${ids[0]}`)).data, [all.data[2]])
    assert.deepStrictEqual((yield* list(`?caseId=${cases[0]}&after=${ids[0]}`)).data, [])
  })

  it("400 for an unknown event, the same for a foreign one, and for each invalid parameter", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const caseId = yield* newCase(other)
    const { json } = yield* until(
      call("GET", "/api/v1/events", { key: other.key }),
      (answer) => answer.json.data.length === 1
    )
    const unknown = "after, is no event of the last 30 days"
    for (const [query, error] of [
      [`after=${json.data[0].id}`, unknown],
      ["after=00000000-0000-4000-8000-000000000000", unknown],
      ["after=99999999999999999999", "after, must be a valid UUID"],
      ["caseId=1", "caseId, must be a valid UUID"],
      ["limit=0", "limit, must be a value between 1 and 100"],
      ["limit=101", "limit, must be a value between 1 and 100"]
    ]) {
      yield* expectAnswer(call("GET", `/api/v1/events?${query}`, { key: clinic.key }), 400, {
        status: 400,
        success: false,
        message: "Invalid request",
        error
      })
    }
    const foreign = yield* call("GET", `/api/v1/events?caseId=${caseId}`, { key: clinic.key })
    assert.deepStrictEqual([foreign.status, foreign.json.data], [200, []])
  })
})
