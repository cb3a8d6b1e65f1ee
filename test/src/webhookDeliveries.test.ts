import { randomUUID } from "node:crypto"
import { serveListener, until } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addEndpoint, endpoints } from "./harness/endpoints.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"
const refused = (status: number, error: string) => ({ status, success: false, message: "Invalid request", error })

/** Runs a receiver whose responses can be set, and returns the requests that it received. */
const serveReceiver = Effect.gen(function* () {
  const received: Array<string> = []
  const answer = { status: 204 }
  const { url } = yield* serveListener((request, response) => {
    received.push(String(request.headers["webhook-id"]))
    response.writeHead(answer.status).end("not for everybody")
  })
  return { url, sent: received, answer }
})

testsOn(Suite.shared, "webhook deliveries", (it) => {
  type Clinic = Effect.Success<typeof makeClinic>

  const deliveriesOf = ({ key }: Clinic, endpointId: string, query = "") =>
    call("GET", `/api/v1/webhook-endpoints/${endpointId}/deliveries${query}`, { key })

  const arrived = (received: ReadonlyArray<string>, count: number) =>
    until(
      Effect.sync(() => received.length),
      (length) => length >= count
    )
  const settled = (clinic: Clinic, endpointId: string, count: number) =>
    until(
      deliveriesOf(clinic, endpointId),
      ({ json }) =>
        json.data.length === count && json.data.every(({ status }: { status: string }) => status === "DELIVERED")
    )

  const prepare = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const receiver = yield* serveReceiver
    const { id } = yield* addEndpoint(clinic, { url: receiver.url })
    const created = yield* createCase(clinic, caseBody(clinic))
    yield* arrived(receiver.sent, 1)
    return { clinic, receiver, id: String(id), caseId: String(created.json.data.caseId) }
  })

  it("200: deliveries are listed with their attempts, newest first, by every filter", function* () {
    const { caseId, clinic, id, receiver } = yield* prepare
    yield* createCase(clinic, caseBody(clinic))
    yield* arrived(receiver.sent, 2)
    const { json } = yield* settled(clinic, id, 2)
    const [newest, oldest] = json.data
    assert.deepInclude(oldest, {
      caseId,
      eventType: "case.created",
      status: "DELIVERED",
      nextAttemptAt: null,
      waitsFor: null
    })
    assert.deepInclude(oldest.attempts[0], { number: 1, status: 204, failure: null })
    assert.strictEqual(oldest.eventId, receiver.sent[0])
    for (const [query, ids] of [
      ["?limit=1", [newest.id]],
      [`?caseId=${caseId}`, [oldest.id]],
      [`?caseId=${caseId}&status=FAILED`, []],
      ["?status=PENDING", []],
      ["?eventType=case.created", [newest.id, oldest.id]],
      ["?eventType=case.closed", []],
      [`?eventId=${oldest.eventId}`, [oldest.id]],
      [`?until=${oldest.createdAt}`, [oldest.id]],
      ["?since=2999-01-01T00:00:00Z", []]
    ] as const) {
      const listed = yield* deliveriesOf(clinic, id, query)
      assert.deepStrictEqual(
        listed.json.data.map((delivery: { id: string }) => delivery.id),
        ids,
        query
      )
    }
    const first = yield* deliveriesOf(clinic, id, "?limit=1")
    const second = yield* deliveriesOf(clinic, id, `?limit=1&cursor=${first.json.nextCursor}`)
    assert.deepStrictEqual([second.json.data[0].id, second.json.nextCursor], [oldest.id, null])
  })

  it("a waiting delivery says what for: the next attempt, or a disabled endpoint", function* () {
    const { clinic, id, receiver } = yield* prepare
    yield* settled(clinic, id, 1)
    receiver.answer.status = 500
    const { json: tested } = yield* endpoints("POST", clinic, `/${id}/test`)
    const read = deliveriesOf(clinic, id, `?eventId=${tested.data.eventId}`)
    const { json } = yield* until(read, ({ json }) => json.data[0]?.waitsFor?.reason === "NEXT_ATTEMPT")
    const [delivery] = json.data
    const none = { deliveryId: null, eventId: null, until: null }
    assert.deepStrictEqual(delivery.waitsFor, { ...none, reason: "NEXT_ATTEMPT", until: delivery.nextAttemptAt })
    yield* endpoints("PATCH", clinic, `/${id}`, { body: { enabled: false } })
    for (const { json } of [yield* read, yield* admin("GET", `/webhook-endpoints/${id}/deliveries?status=PENDING`)]) {
      assert.deepStrictEqual(json.data[0].waitsFor, { ...none, reason: "ENDPOINT_DISABLED" })
    }
  })

  it("an attempt has its duration and the first kB of the response", function* () {
    const clinic = yield* makeClinic
    const responseBody = `Taken: ${"ä".repeat(2000)}`
    const { url } = yield* serveListener((_, response) => response.writeHead(200).end(responseBody))
    const { id } = yield* addEndpoint(clinic, { url })
    yield* createCase(clinic, caseBody(clinic))
    const { json } = yield* settled(clinic, String(id), 1)
    const [{ answer, at, durationMillis, ...attempt }] = json.data[0].attempts
    assert.deepStrictEqual(attempt, { number: 1, status: 200, failure: null })
    assert.strictEqual(answer, `Taken: ${"ä".repeat(508)}\ufffd`)
    assert.isAtLeast(durationMillis, 0)
    assert.isAtLeast(new Date(at).getTime(), new Date(json.data[0].createdAt).getTime())
  })

  it("a disabled organization gets no events, and all of them when it is enabled again", function* () {
    const { clinic, receiver } = yield* prepare
    const { organizationId } = clinic
    const setDisabled = (isDisabled: boolean) => admin("PATCH", `/organizations/${organizationId}`, { isDisabled })
    const pendingDeliveries = inDatabase(
      "cases",
      (sql) => sql`
          SELECT FROM cases.webhook_deliveries
          WHERE organization_id = ${organizationId} AND status = 'PENDING' AND event_type = 'case.assigned'
        `
    )
    yield* setDisabled(true)
    // An assignment makes an event of the case.
    yield* admin("POST", `/organizations/${organizationId}/members`, {
      email: `${randomUUID()}@example.com`,
      firstName: "Ann",
      lastName: "Lee",
      role: "PROVIDER"
    })
    yield* until(pendingDeliveries, (rows) => rows.length === 1)
    const other = yield* prepare
    assert.lengthOf(other.receiver.sent, 1)
    assert.lengthOf(receiver.sent, 1)
    yield* setDisabled(false)
    yield* arrived(receiver.sent, 2)
  })

  it("a delivery is replayed with the same id, once for each idempotency key, and keeps its attempts", function* () {
    const { clinic, id, receiver } = yield* prepare
    const { json } = yield* settled(clinic, id, 1)
    const delivery = json.data[0]
    const headers = { "idempotency-key": "again" }
    const replay = call("POST", `/api/v1/webhook-deliveries/${delivery.id}/replay`, { key: clinic.key, headers })
    const answers = yield* Effect.all(
      Array.from({ length: 5 }, () => replay),
      { concurrency: "unbounded" }
    )
    for (const { json, status } of answers) assert.deepStrictEqual([status, json], [200, answers[0]?.json])
    assert.deepStrictEqual(answers[0]?.json.data, { id: delivery.id, eventId: delivery.eventId, endpointId: id })
    yield* arrived(receiver.sent, 2)
    const after = yield* settled(clinic, id, 1)
    assert.deepStrictEqual(
      after.json.data[0].attempts.map(({ number }: { number: number }) => number),
      [1, 2]
    )
    assert.deepStrictEqual(receiver.sent, [delivery.eventId, delivery.eventId])
  })

  it("a range, missing events and a single event are sent again by jobs, also to a new endpoint", function* () {
    const { clinic, id, receiver } = yield* prepare
    yield* settled(clinic, id, 1)
    const since = "2020-01-01T00:00:00Z"
    const post = (path: string, body?: object) => call("POST", `/api/v1${path}`, { key: clinic.key, body: body ?? {} })
    // Only one replay at a time: another one is refused.
    const replay = (path: string) =>
      Effect.map(
        until(post(path, { since }), ({ json, status }) => {
          if (status === 409) assert.match(json.error, /^A replay to this webhook endpoint is under way/)
          return status !== 409
        }),
        ({ status }) => assert.strictEqual(status, 200)
      )
    yield* replay(`/webhook-endpoints/${id}/replay`)
    yield* arrived(receiver.sent, 2)
    yield* settled(clinic, id, 1)

    const later = yield* serveReceiver
    const { id: laterId } = yield* addEndpoint(clinic, { url: later.url })
    yield* replay(`/webhook-endpoints/${laterId}/replay-missing`)
    yield* arrived(later.sent, 1)
    yield* settled(clinic, String(laterId), 1)
    // Nothing is missing now, so the next delivery is that of the resent event.
    yield* replay(`/webhook-endpoints/${laterId}/replay-missing`)
    const [eventId] = receiver.sent
    const resent = yield* post(`/events/${eventId}/resend`, { endpointId: laterId })
    assert.deepStrictEqual([resent.status, resent.json.data.length], [200, 1])
    yield* arrived(later.sent, 2)
    const all = yield* post(`/events/${eventId}/resend`)
    assert.deepStrictEqual([all.status, all.json.data.length], [200, 2])
    yield* arrived(receiver.sent, 3)
    yield* arrived(later.sent, 3)
    assert.strictEqual(new Set([...receiver.sent, ...later.sent]).size, 1)
  })

  it("400: nothing is queued for a disabled endpoint, in any way", function* () {
    const { clinic, id, receiver } = yield* prepare
    const { json } = yield* settled(clinic, id, 1)
    const { eventId, id: deliveryId } = json.data[0]
    yield* endpoints("PATCH", clinic, `/${id}`, { body: { enabled: false } })
    const since = "2020-01-01T00:00:00Z"
    for (const [path, body] of [
      [`/webhook-endpoints/${id}/replay`, { since }],
      [`/webhook-endpoints/${id}/replay-missing`, { since }],
      [`/webhook-deliveries/${deliveryId}/replay`, undefined],
      [`/events/${eventId}/resend`, { endpointId: id }]
    ] as const) {
      for (const headers of [{}, { "idempotency-key": path }]) {
        const answer = yield* call("POST", `/api/v1${path}`, { key: clinic.key, body, headers })
        const text = "The webhook endpoint is disabled: enable it first"
        assert.deepStrictEqual([answer.status, answer.json], [400, refused(400, text)], path)
      }
    }
    const all = yield* call("POST", `/api/v1/events/${eventId}/resend`, { key: clinic.key, body: {} })
    assert.deepStrictEqual([all.status, all.json.data], [200, []])
    const { organizationId } = clinic
    const stored = yield* inDatabase(
      "cases",
      (sql) => sql`
          SELECT FROM cases.jobs WHERE organization_id = ${organizationId} AND queue_name = 'webhook-replay'
          UNION ALL
          SELECT FROM cases.webhook_deliveries WHERE organization_id = ${organizationId} AND status = 'PENDING'
          UNION ALL
          SELECT FROM cases.idempotency_keys
          WHERE organization_id = ${organizationId} AND operation ~* 'replay|resend'
        `
    )
    assert.lengthOf(stored, 0)
    yield* endpoints("PATCH", clinic, `/${id}`, { body: { enabled: true } })
    const replayed = yield* call("POST", `/api/v1/webhook-deliveries/${deliveryId}/replay`, { key: clinic.key })
    assert.strictEqual(replayed.status, 200)
    yield* arrived(receiver.sent, 2)
  })

  it("404: the same for unknown, invalid and foreign ids, and nothing is sent", function* () {
    const { clinic, id, receiver } = yield* prepare
    const { json } = yield* settled(clinic, id, 1)
    const { eventId, id: deliveryId } = json.data[0]
    const other = yield* makeClinic
    const foreignEndpoint = yield* addEndpoint(other)
    const body = { since: "2020-01-01T00:00:00Z" }
    for (const [method, path, knownId, error, sent] of [
      ["GET", "/webhook-endpoints/:id/deliveries", id, "There is no such webhook endpoint", undefined],
      ["POST", "/webhook-endpoints/:id/replay", id, "There is no such webhook endpoint", body],
      ["POST", "/webhook-endpoints/:id/replay-missing", id, "There is no such webhook endpoint", body],
      ["POST", "/webhook-deliveries/:id/replay", deliveryId, "There is no such webhook delivery", undefined],
      ["POST", "/events/:id/resend", eventId, "There is no such event", {}],
      ["POST", "/events/:id/resend", eventId, "There is no such event", { endpointId: foreignEndpoint.id }]
    ] as const) {
      for (const foreignId of [knownId, unknownId, "nonsense"]) {
        yield* expectAnswer(
          call(method, `/api/v1${path.replace(":id", foreignId)}`, { key: other.key, body: sent }),
          404,
          refused(404, error),
          `${path} ${foreignId}`
        )
      }
    }
    for (const endpointId of [foreignEndpoint.id, unknownId]) {
      yield* expectAnswer(
        call("POST", `/api/v1/events/${eventId}/resend`, {
          key: clinic.key,
          body: { endpointId }
        }),
        404,
        refused(404, "There is no such webhook endpoint")
      )
    }
    assert.lengthOf(receiver.sent, 1)
    // Deliveries of a deleted endpoint are neither shown nor sent.
    assert.strictEqual((yield* endpoints("DELETE", clinic, `/${id}`)).status, 200)
    assert.strictEqual((yield* deliveriesOf(clinic, id)).status, 404)
    const replayed = yield* call("POST", `/api/v1/webhook-deliveries/${deliveryId}/replay`, { key: clinic.key })
    assert.strictEqual(replayed.status, 404)
  })

  it("400 for each field that is missing, of a wrong type, or not acceptable", function* () {
    const { clinic, id } = yield* prepare
    const path = `/api/v1/webhook-endpoints/${id}`
    const since = "2026-01-02T00:00:00Z"
    for (const [to, body, error] of [
      [`${path}/replay`, {}, /^since, /],
      [`${path}/replay`, { since: 1 }, /^since, /],
      [`${path}/replay`, { since, until: "tomorrow" }, /^until, /],
      [`${path}/replay`, { since, until: "2026-01-01T00:00:00Z" }, /^since, must be before the end of the range$/],
      [`${path}/replay-missing`, {}, /^since, /],
      [`${path}/replay-missing`, { since: "yesterday" }, /^since, /],
      [`/api/v1/events/${randomUUID()}/resend`, { endpointId: 1 }, /^endpointId, /]
    ] as const) {
      const { json, status } = yield* call("POST", to, { key: clinic.key, body })
      assert.deepStrictEqual([status, json], [400, refused(400, json.error)])
      assert.match(json.error, error)
    }
    for (const [query, error] of [
      ["?status=LOST", /^status, must be PENDING, DELIVERED or FAILED$/],
      ["?eventType=x", /^eventType, must be one of case\.created, /],
      ["?eventId=1", /^eventId, must be a valid UUID$/],
      ["?caseId=1", /^caseId, must be a valid UUID$/],
      ["?since=x", /^since, must be a date and time in ISO 8601/],
      ["?until=x", /^until, must be a date and time in ISO 8601/],
      ["?limit=0", /^limit, must be a value between 1 and 100$/],
      ["?cursor=x", /^cursor, must be the nextCursor of another page$/]
    ] as const) {
      const { json, status } = yield* deliveriesOf(clinic, id, query)
      assert.deepStrictEqual([status, json], [400, refused(400, json.error)], query)
      assert.match(json.error, error)
    }
  })

  it("operators list an organization's endpoints without secrets, and the deliveries to one", function* () {
    const { clinic, id } = yield* prepare
    const second = yield* addEndpoint(clinic, { url: "http://localhost:1/", enabled: false })
    const other = yield* prepare
    const listed = yield* admin("GET", `/organizations/${clinic.organizationId}/webhook-endpoints`)
    const own = yield* call("GET", "/api/v1/webhook-endpoints", { key: clinic.key })
    assert.deepStrictEqual([listed.status, listed.json], [200, { data: own.json.data, nextCursor: null }])
    assert.deepStrictEqual(
      listed.json.data.map((endpoint: { readonly id: string }) => endpoint.id),
      [id, second.id]
    )
    assert.notInclude(JSON.stringify(listed.json), "whsec_")
    const page = yield* admin("GET", `/organizations/${clinic.organizationId}/webhook-endpoints?limit=1`)
    const rest = yield* admin(
      "GET",
      `/organizations/${clinic.organizationId}/webhook-endpoints?limit=1&cursor=${page.json.nextCursor}`
    )
    assert.deepStrictEqual([page.json.data[0].id, rest.json.data[0].id, rest.json.nextCursor], [id, second.id, null])
    const ofPartner = yield* settled(clinic, id, 1)
    const { data, nextCursor } = ofPartner.json
    const deliveries = yield* admin("GET", `/webhook-endpoints/${id}/deliveries?status=DELIVERED`)
    assert.deepStrictEqual([deliveries.status, deliveries.json], [200, { data, nextCursor }])
    assert.deepStrictEqual((yield* admin("GET", `/webhook-endpoints/${id}/deliveries?status=FAILED`)).json.data, [])
    assert.strictEqual((yield* admin("GET", `/webhook-endpoints/${id}/deliveries?status=LOST`)).status, 400)
    const foreign = yield* admin("GET", `/webhook-endpoints/${other.id}/deliveries`)
    assert.notInclude(JSON.stringify(foreign.json), data[0].id)
    const none = yield* admin("GET", `/organizations/${unknownId}/webhook-endpoints`)
    assert.deepStrictEqual([none.status, none.json.detail], [404, `No organization has the id ${unknownId}.`])
  })

  it("operators read a delivery with its event and its attempts, and replay it under its webhook-id", function* () {
    const { caseId, clinic, id, receiver } = yield* prepare
    const [delivery] = (yield* settled(clinic, id, 1)).json.data
    const path = `/webhook-endpoints/${id}/deliveries/${delivery.id}`
    const read = yield* admin("GET", path)
    const event = { id: delivery.eventId, type: "case.created", timestamp: read.json.event.timestamp }
    assert.deepStrictEqual(
      [read.status, read.json],
      [200, { ...delivery, endpointId: id, event: { ...event, data: read.json.event.data } }]
    )
    assert.deepInclude(read.json.event.data, { caseId, sequence: 1 })
    const replayed = yield* admin("POST", `${path}/replay`)
    const queued = { id: delivery.id, eventId: delivery.eventId, endpointId: id }
    assert.deepStrictEqual([replayed.status, replayed.json], [200, queued])
    yield* arrived(receiver.sent, 2)
    assert.deepStrictEqual(receiver.sent, [delivery.eventId, delivery.eventId])
    const again = yield* until(
      admin("GET", path),
      ({ json }) => json.status === "DELIVERED" && json.attempts.length === 2
    )
    assert.strictEqual(again.json.attempts[1].number, 2)
    yield* inDatabase("cases", (sql) => sql`DELETE FROM cases.monthly_events WHERE id = ${delivery.eventId}`)
    assert.isNull((yield* admin("GET", path)).json.event)
  })

  it("operators: 404 for unknown endpoints and deliveries, and those of another endpoint; 409 while the endpoint is disabled", function* () {
    const { clinic, id, receiver } = yield* prepare
    const other = yield* prepare
    const [delivery] = (yield* settled(clinic, id, 1)).json.data
    const second = yield* addEndpoint(clinic, { url: "http://localhost:1/", enabled: false })
    const noEndpoint = "No webhook endpoint has this id."
    const noDelivery = "The webhook endpoint has no delivery with this id, or no longer."
    for (const [path, detail] of [
      [`/webhook-endpoints/${unknownId}/deliveries/${delivery.id}`, noEndpoint],
      [`/webhook-endpoints/${id}/deliveries/${unknownId}`, noDelivery],
      [`/webhook-endpoints/${second.id}/deliveries/${delivery.id}`, noDelivery],
      [`/webhook-endpoints/${other.id}/deliveries/${delivery.id}`, noDelivery]
    ] as const) {
      for (const attempt of [admin("GET", path), admin("POST", `${path}/replay`)]) {
        const { json, status } = yield* attempt
        assert.deepStrictEqual([status, json.detail], [404, detail])
      }
    }
    const unknown = yield* admin("GET", `/webhook-endpoints/${unknownId}/deliveries`)
    assert.deepStrictEqual([unknown.status, unknown.json.detail], [404, noEndpoint])
    assert.strictEqual((yield* admin("GET", "/webhook-endpoints/x/deliveries")).status, 400)
    yield* call("PATCH", `/api/v1/webhook-endpoints/${id}`, { key: clinic.key, body: { enabled: false } })
    const refusal = yield* admin("POST", `/webhook-endpoints/${id}/deliveries/${delivery.id}/replay`)
    assert.deepStrictEqual([refusal.status, refusal.json.title], [409, "The webhook endpoint is disabled"])
    assert.lengthOf(receiver.sent, 1)
  })
})
