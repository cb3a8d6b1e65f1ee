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

// In everything that somebody writes on the way.
const canary = "kanarienvogel"

testsOn(Suite.shared, "what partners are told of", (it) => {
  const act = ({ key }: Clinic, caseId: string, action: string, body: object) =>
    call("POST", `/api/v1/cases/${caseId}`, { key, body: { action, ...body } })
  const newCase = (clinic: Clinic, changes: object = {}) =>
    Effect.map(createCase(clinic, caseBody(clinic, { ...changes })), ({ json }): string => json.data.caseId)
  const bodiesOf = (events: ReadonlyArray<ReceivedEvent>) => events.map(({ body }) => JSON.parse(body))

  it("each type of event arrives for its change, in order, signed, with what is documented and nothing else", function* () {
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

    // Of each event what is told beside the case and its number, which has arrived before the next change is made.
    const expected: Array<[type: string, details: object]> = []
    const tell = Effect.fnUntraced(function* (type: keyof typeof webhookEvents, details: object) {
      expected.push([type, details])
      yield* arrived(expected.length)
    })
    const done = (answered: { readonly status: number }) => assert.include([200, 201], answered.status)
    yield* tell("case.created", { status: "OPEN" })
    yield* tell("case.assigned", { from: "OPEN", to: "ASSIGNED", providerId })

    const escalation = { type: "support", title: "Cancellation", note: canary }
    const escalated = yield* act(clinic, caseId, "ADD_ESCALATION", { escalations: [escalation] })
    const escalationId = escalated.json.data.escalations[0].id
    yield* tell("case.escalation.added", { escalationId })
    done(yield* admin("POST", `/escalations/${escalationId}/complete`))
    yield* tell("case.escalation.completed", { escalationId })

    const orderId = (yield* placeOrder(clinic, caseId, orderBody({ diagnosis: canary }))).json.data.order.id
    yield* tell("case.activity", { orderId })
    yield* tell("case.order.updated", { orderId, status: "SUBMITTED" })
    assert.strictEqual(yield* sendOrderUpdate(orderId, { status: "SHIPPED", carrierName: canary }), 200)
    yield* tell("case.order.updated", { orderId, status: "SHIPPED" })

    const confirmed = { caseId, amount: 10, paymentDate: "2026-03-01", status: "PAID", validUntil: "2026-04-01" }
    const body = { ...confirmed, description: canary }
    done(yield* call("POST", "/api/v1/customer-payment-confirmation", { key: clinic.key, body }))
    const [{ paymentId }] = (yield* admin("GET", `/payments?caseId=${caseId}`)).json.data
    yield* tell("case.payment.updated", { paymentId, status: "PAID" })

    done(yield* createEvent(clinic, caseId, calendarEvent({ title: canary, description: canary })))
    const [{ id: eventId }] = yield* eventsOf(clinic, caseId)
    yield* tell("case.appointment.booked", { eventId })
    done(yield* cancelEvent(clinic, caseId, eventId))
    yield* tell("case.appointment.cancelled", { eventId })

    const { productId } = clinic
    const closing = { productId, status: "CLOSE", reason: canary }
    done(yield* act(clinic, caseId, "UPDATE_CASE_PRODUCT", { caseProductInput: closing }))
    yield* tell("case.product.closed", { productId })

    // Neither that work on it began nor what is said of it is told.
    done(yield* admin("POST", `/cases/${caseId}/start`))
    done(
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
    const stays = { from: "APPROVED", to: "APPROVED" }
    yield* tell("case.decision.added", { from: "IN_PROGRESS", to: "APPROVED", decisionId: decided.json.id })
    done(yield* act(clinic, caseId, "CHANGE_CASE_STATUS", { status: "CLOSE", reason: canary }))
    yield* tell("case.closed", stays)
    done(yield* act(clinic, caseId, "CHANGE_CASE_STATUS", { status: "REOPEN" }))
    yield* tell("case.opened", stays)

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
    const gone = yield* receiveEvents
    gone.answer.status = 410
    const { id: goneId } = yield* addEndpoint(clinic, { url: gone.url, eventTypes: ["case.closed"] })
    done(yield* endpoints("POST", clinic, `/${goneId}/test`))
    yield* arrived(expected.length + 1)
    done(yield* endpoints("POST", clinic, `/${endpoint.id}/test`))
    yield* arrived(expected.length + 2)
    const own = bodiesOf([...gone.received, ...received.slice(expected.length)])
    assert.deepStrictEqual(
      own.map(({ data, type }) => [type, data]),
      [
        ["webhook.test", { endpointId: goneId }],
        ["webhook.endpoint.disabled", { endpointId: goneId, reason: "GONE" }],
        ["webhook.test", { endpointId: endpoint.id }]
      ]
    )
    assert.deepStrictEqual([...new Set(own.map(({ type }) => type))].sort(), Object.keys(ownEvents).sort())

    const ids = received.map(({ headers }) => headers["webhook-id"])
    assert.strictEqual(new Set(ids).size, received.length)
    for (const { body, headers } of received) {
      const event = new Webhook(endpoint.secret).verify(body, headers)
      assert.deepStrictEqual(Object.keys(Object(event)).sort(), ["data", "timestamp", "type"])
      const { type } = JSON.parse(body)
      const place = ["webhooks", type, "post", "requestBody", "content", "application/json", "schema"]
      assert.strictEqual(schemaErrors(place, event), "", type)
    }
    // What the case says is there to be read, and in nothing that was sent.
    const detail = yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    assert.isAbove(JSON.stringify(detail.json).split(canary).length, 5)
    assert.notInclude(JSON.stringify([...received, ...gone.received]), canary)
  })

  it("of a case that is created abandoned all is told but its creation", function* () {
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
    const stays = { from: "ABANDONED", to: "ABANDONED" }
    const told = [
      ["case.activity", { caseId, sequence: 2, orderId }],
      ["case.order.updated", { caseId, sequence: 3, orderId, status: "SUBMITTED" }],
      ["case.product.closed", { caseId, sequence: 4, productId }],
      ["case.closed", { caseId, sequence: 5, ...stays }],
      ["case.opened", { caseId, sequence: 6, ...stays }],
      ["case.opened", { caseId, sequence: 7, from: "ABANDONED", to: "OPEN" }]
    ]
    const pairs = (events: ReadonlyArray<{ readonly type: string; readonly data: object }>) =>
      events.map(({ data, type }) => [type, data])
    assert.deepStrictEqual(pairs(bodiesOf(received)), told)
    const { json } = yield* call("GET", `/api/v1/events?caseId=${caseId}`, { key: clinic.key })
    assert.deepStrictEqual(pairs(json.data), told)
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

  it("the list is in the order in which partners are told, page by page, and of one case", function* () {
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
    // After an event of another case, too.
    assert.deepStrictEqual((yield* list(`?caseId=${cases[2]}&after=${ids[0]}`)).data, [all.data[2]])
    assert.deepStrictEqual((yield* list(`?caseId=${cases[0]}&after=${ids[0]}`)).data, [])
  })

  it("400 for an event that is not known, as for another organization's, and for each parameter that does not fit", function* () {
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
