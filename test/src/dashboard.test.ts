import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, admin, call } from "./harness/call.ts"
import { callAs, signedIn } from "./harness/callAs.ts"
import { inDatabase } from "./harness/database.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { saveMethod } from "./harness/saveMethod.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"

const none = { underOneHour: 0, underFourHours: 0, underOneDay: 0, longer: 0 }
const nothing = {
  waiting: none,
  assigned: none,
  inProgress: 0,
  escalationsOpen: 0,
  ordersInError: 0,
  deliveriesFailed: 0,
  endpointsFailing: 0,
  endpointsDisabled: 0,
  paymentsHeld: 0,
  lastChangeAt: null
}

testsOn(Suite.shared, "the dashboard", (it) => {
  const dashboardOf = (organizationId: string) => admin("GET", `/dashboard?organizationId=${organizationId}`)
  const newCase = (clinic: Clinic, changes: Readonly<Record<string, unknown>> = {}) =>
    Effect.map(createCase(clinic, caseBody(clinic, changes)), ({ json }): string => json.data.caseId)

  it("200: counts what waits to be done for the organization alone", function* () {
    const clinic = yield* makeClinic
    const other = yield* makeClinic
    const { organizationId } = clinic
    yield* newCase(other)
    assert.deepStrictEqual((yield* dashboardOf(organizationId)).json, nothing)
    const failing = yield* serveListener((_, response) => response.writeHead(500).end())
    const gone = yield* serveListener((_, response) => response.writeHead(410).end())
    const endpoint = yield* addEndpoint(clinic, { url: failing.url })
    yield* addEndpoint(clinic, { url: gone.url })
    yield* addEndpoint(clinic, { url: gone.url, enabled: false })
    const [now, hours, day, days] = yield* Effect.forEach([1, 2, 3, 4], () => newCase(clinic))
    yield* newCase(clinic, { isTest: true })
    yield* inDatabase(
      "cases",
      (sql) => sql`
        UPDATE cases.cases SET created_at = now() - CASE id
          WHEN ${String(hours)}::uuid THEN interval '3 hours' WHEN ${String(day)}::uuid THEN interval '23 hours'
          ELSE interval '25 hours' END
        WHERE id = ANY(${[hours, day, days]}::uuid[])
      `
    )
    const caseId = yield* newCase(clinic, { isTest: true })
    const escalate = (title: string) =>
      call("POST", `/api/v1/cases/${caseId}`, {
        key: clinic.key,
        body: { action: "ADD_ESCALATION", escalations: [{ type: "support", title }] }
      })
    const [escalation] = (yield* escalate("Cancellation")).json.data.escalations
    yield* escalate("Possible Dispute")
    yield* admin("POST", `/escalations/${escalation.id}/complete`)
    const order = (yield* placeOrder(clinic, caseId)).json.data.order
    yield* placeOrder(clinic, caseId)
    const orders = admin("GET", `/cases/${caseId}/orders`)
    yield* until(orders, ({ json }) => json.data.every(({ status }: { status: string }) => status !== "PENDING"))
    yield* inDatabase("cases", (sql) => sql`UPDATE cases.orders SET status = 'ERROR' WHERE id = ${order.id}`)
    yield* saveMethod(clinic, caseId, "pm_card_visa")
    const held = yield* call("POST", `/api/v1/cases/${caseId}/payments`, {
      key: clinic.key,
      body: { amount: 49.5, description: "Visit", preauthorize: true }
    })
    assert.strictEqual(held.status, 200)
    yield* until(dashboardOf(organizationId), ({ json }) => json.endpointsFailing === 1 && json.endpointsDisabled === 1)
    yield* inDatabase(
      "cases",
      (sql) => sql`
        UPDATE cases.webhook_deliveries SET status = 'FAILED', next_attempt_at = NULL
        WHERE id = (
          SELECT id FROM cases.webhook_deliveries WHERE endpoint_id = ${endpoint.id} ORDER BY position DESC LIMIT 1
        )
      `
    )
    const { json, status } = yield* dashboardOf(organizationId)
    const { lastChangeAt, ...counts } = json
    assert.deepStrictEqual(
      [status, counts],
      [
        200,
        {
          waiting: { underOneHour: 3, underFourHours: 1, underOneDay: 1, longer: 1 },
          assigned: none,
          inProgress: 0,
          escalationsOpen: 1,
          ordersInError: 1,
          deliveriesFailed: 1,
          endpointsFailing: 1,
          endpointsDisabled: 1,
          paymentsHeld: 1
        }
      ]
    )
    const provider = yield* addStaff(clinic, { licensedStates: ["NY"] })
    yield* admin("POST", `/cases/${now}/assign`, { providerId: provider })
    yield* admin("POST", `/cases/${days}/assign`, { providerId: provider })
    yield* admin("POST", `/cases/${now}/start`)
    const after = (yield* dashboardOf(organizationId)).json
    assert.deepStrictEqual(
      [after.waiting.underOneHour, after.waiting.longer, after.assigned, after.inProgress],
      [2, 0, { ...none, longer: 1 }, 1]
    )
    assert.isAbove(Date.parse(after.lastChangeAt), Date.parse(lastChangeAt))
  })

  it("each count has as many cases as the list that it leads to, for those who see all and for a provider", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const jane = yield* addStaff(clinic, { licensedStates: ["NY"] })
    const tex = yield* addStaff(clinic, { licensedStates: ["TX"] })
    const patientIn = (state: string) => {
      const { user } = caseBody(clinic)
      return { user: { ...user, shippingAddress: { ...user.shippingAddress, state } } }
    }
    const escalated = { action: "ADD_ESCALATION", escalations: [{ type: "support", title: "Cancellation" }] }
    const cases: Array<string> = []
    for (const state of ["NY", "NY", "TX", "TX", "NY", "TX"]) {
      const id = yield* newCase(clinic, { isTest: true, ...patientIn(state) })
      cases.push(id)
      yield* call("POST", `/api/v1/cases/${id}`, { key: clinic.key, body: escalated })
    }
    for (const [id, providerId] of [
      [cases[0], jane],
      [cases[1], tex],
      [cases[2], tex]
    ]) {
      yield* admin("POST", `/cases/${id}/assign`, { providerId })
    }
    yield* admin("POST", `/cases/${cases[2]}/start`)
    const people = [
      { userId: jane, role: "PROVIDER", expected: [1, 1, 0, 2], escalations: 2 },
      { userId: tex, role: "PROVIDER", expected: [2, 1, 1, 4], escalations: 4 },
      { userId: jane, role: "SUPPORT", expected: [3, 2, 1, 6], escalations: 6 }
    ]
    for (const { escalations, expected, role, userId } of people) {
      const identity = signedIn(userId, organizationId, role)
      const read = (path: string) =>
        Effect.map(callAs(identity, "cases", "GET", `/admin/v1${path}`), ({ json }) => json)
      const { assigned, escalationsOpen, inProgress, waiting } = yield* read(
        `/dashboard?organizationId=${organizationId}`
      )
      const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
      const listed = yield* Effect.forEach(["OPEN", "ASSIGNED", "IN_PROGRESS", "ACTIVE"], (status) =>
        Effect.forEach(["createdSince", "createdBefore"], (end) =>
          read(
            `/cases?organizationId=${organizationId}&isArchived=false&status=${status}&${end}=${anHourAgo}&limit=100`
          )
        )
      )
      const lengths = listed.map(([young, old]) => [young.data.length, old.data.length])
      assert.deepStrictEqual(
        lengths,
        expected.map((length) => [length, 0])
      )
      assert.deepStrictEqual([waiting.underOneHour, assigned.underOneHour, inProgress], expected.slice(0, 3))
      assert.strictEqual(escalationsOpen, escalations)
    }
  })

  it("304 with the tag of the last answer, without a count, until a case changes", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const caseId = yield* newCase(clinic, { isTest: true })
    const read = (etag: string) =>
      call("GET", `/admin/v1/dashboard?organizationId=${organizationId}`, {
        isOperator: true,
        headers: { "if-none-match": etag }
      })
    const tagOf = ({ headers }: Answer) => headers.get("etag") ?? ""
    // A minute may begin between two reads.
    const unchanged = yield* until(
      Effect.flatMap(read("none"), (first) => read(tagOf(first))),
      ({ status }) => status === 304
    )
    assert.isUndefined(unchanged.json)
    const tag = tagOf(unchanged)
    assert.match(tag, /^W\/"\d+-\d+"$/)
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: yield* addStaff(clinic) })
    const changed = yield* read(tag)
    assert.deepStrictEqual([changed.status, changed.json.assigned.underOneHour], [200, 1])
    assert.notStrictEqual(tagOf(changed), tag)
  })

  it("a count ends at 1000", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic, { isTest: true })
    yield* inDatabase(
      "cases",
      (sql) => sql`
        INSERT INTO cases.escalations (
          organization_id, id, case_id, type, title, is_completed, created_at, updated_at
        )
        SELECT ${clinic.organizationId}::uuid, gen_random_uuid(), ${caseId}::uuid, 'support', n::text, false, now(), now()
        FROM generate_series(1, 1200) AS n
      `
    )
    const { lastChangeAt, ...counts } = (yield* dashboardOf(clinic.organizationId)).json
    assert.isString(lastChangeAt)
    assert.deepStrictEqual(
      { ...counts, lastChangeAt: null },
      { ...nothing, waiting: { ...none, underOneHour: 1 }, escalationsOpen: 1000 }
    )
  })

  it("400 without an organization, 404 for an unknown one", function* () {
    const missing = yield* admin("GET", "/dashboard")
    assert.deepStrictEqual([missing.status, missing.json.detail], [400, "organizationId, Required"])
    const unknown = yield* dashboardOf(unknownId)
    assert.deepStrictEqual([unknown.status, unknown.json.detail], [404, `No organization has the id ${unknownId}.`])
  })
})
