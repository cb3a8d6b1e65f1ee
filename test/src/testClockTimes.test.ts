import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { submitCaseForm } from "./harness/dynamicCases.ts"
import { addEndpoint, endpoints } from "./harness/endpoints.ts"
import { addStaff, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { pharmacyOrder, sendOrderUpdate } from "./harness/pharmacy.ts"
import { closeCase, orderBody, placeOrder } from "./harness/placeOrder.ts"
import { receiveEvents } from "./harness/receiveEvents.ts"
import { Suite } from "./harness/Suite.ts"
import { ofSandboxes } from "./harness/testAccounts.ts"
import { advance, dayMillis, newSandbox } from "./harness/testClock.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(Suite.shared, "what the clock of a sandbox moves, and what not", (it) => {
  const sandboxWithCase = Effect.gen(function* () {
    const sandbox = yield* newSandbox
    const body = caseBody(sandbox)
    const caseId: string = (yield* createCase(sandbox, body)).json.data.caseId
    const detail = (query: string) =>
      Effect.map(
        call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&${query}`, { key: sandbox.key }),
        ({ json }) => json.caseDetail
      )
    return { sandbox, caseId, detail }
  })

  const attachTo = Effect.fnUntraced(function* (caseId: string) {
    const uploadedByUserId: string = (yield* admin("GET", `/cases/${caseId}`)).json.submitter.id
    const content = Buffer.from("%PDF-1.7\nreport").toString("base64")
    const body = { uploadedByUserId, fileName: "report.pdf", contentType: "application/pdf", content }
    const { json, status } = yield* admin("POST", `/cases/${caseId}/attachments`, body)
    assert.strictEqual(status, 201)
    return Date.parse(json.uploadedAt)
  })

  it("a rotated webhook secret stops to sign after 24 hours of the clock", function* () {
    const { key } = yield* newSandbox
    const receiver = yield* receiveEvents
    const { id } = yield* addEndpoint({ key }, { url: receiver.url, eventTypes: ["case.created"] })
    yield* endpoints("POST", { key }, `/${id}/rotate-secret`)
    const signaturesOf = Effect.fnUntraced(function* (count: number) {
      assert.strictEqual((yield* endpoints("POST", { key }, `/${id}/test`)).status, 200)
      yield* receiver.arrived(count)
      return receiver.received.at(-1)?.headers["webhook-signature"]?.split(" ").length
    })
    assert.strictEqual(yield* signaturesOf(1), 2)
    yield* advance(key, { by: "PT23H" })
    assert.strictEqual(yield* signaturesOf(2), 2)
    yield* advance(key, { by: "PT2H" })
    assert.strictEqual(yield* signaturesOf(3), 1)
  })

  it("changes of a case and its events have the time of the clock, and their audit has the real one", function* () {
    const { caseId, detail, sandbox } = yield* sandboxWithCase
    const receiver = yield* receiveEvents
    yield* addEndpoint(sandbox, { url: receiver.url, eventTypes: ["case.closed"] })
    const { json } = yield* advance(sandbox.key, { by: "P30D" })
    const then = Date.parse(json.data.now)
    assert.strictEqual((yield* closeCase(sandbox, caseId)).status, 200)
    const found = yield* call("GET", `/api/v1/cases?updatedSince=${json.data.now}`, { key: sandbox.key })
    assert.lengthOf(found.json.data, 1)
    const { closedAt, createdAt, updatedAt } = yield* detail("")
    assert.isBelow(Date.parse(createdAt), then - 29 * dayMillis)
    for (const time of [closedAt, updatedAt]) assert.isAtLeast(Date.parse(time), then)
    yield* receiver.arrived(1)
    assert.isAtLeast(Date.parse(JSON.parse(receiver.received[0]?.body ?? "").timestamp), then)
    const path = `/audit?organizationId=${sandbox.organizationId}&action=CASE_CLOSED`
    const audited = yield* until(admin("GET", path), ({ json }) => json.data.length > 0)
    assert.isBelow(Date.parse(audited.json.data[0].at), then - 29 * dayMillis)
  })

  it("an update of the pharmacy without a time is dated by the clock, and a later one counts as later", function* () {
    const { caseId, detail, sandbox } = yield* sandboxWithCase
    const orderId: string = (yield* placeOrder(sandbox, caseId, orderBody())).json.data.order.id
    yield* until(ofSandboxes(pharmacyOrder(orderId)), ({ taken }) => taken !== null)
    const send = (data: object) => ofSandboxes(sendOrderUpdate(orderId, { ...data }))
    assert.strictEqual(yield* send({ status: "SHIPPED", shippingLog: { message: "Departed" } }), 200)
    const moved = yield* advance(sandbox.key, { by: "P30D" })
    assert.strictEqual(yield* send({ status: "DELIVERED", shippingLog: { message: "Arrived" } }), 200)
    const [order] = (yield* detail("includeOrders=true")).orders
    assert.strictEqual(order.status, "DELIVERED")
    const [departed, arrived] = order.shippingLogs.map(({ statusUpdatedAt }: { readonly statusUpdatedAt: string }) =>
      Date.parse(statusUpdatedAt)
    )
    assert.isAtLeast(arrived, Date.parse(moved.json.data.now))
    assert.isAtLeast(arrived - departed, 30 * dayMillis)
  })

  it("what operators do in a sandbox has the time of its clock, so that its partner sees it as new, and in others the real time", function* () {
    const { caseId, sandbox } = yield* sandboxWithCase
    const { json } = yield* advance(sandbox.key, { by: "P30D" })
    const then = Date.parse(json.data.now)
    assert.isAtLeast(yield* attachTo(caseId), then)
    const since = `/api/v1/cases?updatedSince=${json.data.now}`
    const changed = Effect.map(call("GET", since, { key: sandbox.key }), ({ json }) => json.data.length)
    const providerId = yield* addStaff(sandbox)
    assert.strictEqual((yield* admin("POST", `/cases/${caseId}/assign`, { providerId })).status, 200)
    assert.strictEqual(yield* changed, 1)
    const live = yield* makeClinic
    const liveCase: string = (yield* createCase(live, caseBody(live))).json.data.caseId
    assert.isBelow(yield* attachTo(liveCase), then - 29 * dayMillis)
  })

  it("files that are stored ahead of the real time count against the quota", function* () {
    const { caseId, sandbox } = yield* sandboxWithCase
    yield* advance(sandbox.key, { by: "P1Y" })
    const used = Effect.map(
      admin("GET", `/organizations/${sandbox.organizationId}/usage`),
      ({ json }) => json.data.find(({ kind }: { readonly kind: string }) => kind === "DOCUMENTS").used
    )
    assert.strictEqual(yield* used, 0)
    const question = { questionId: "q-1", question: "Your passport?", type: "FILE", required: true, phi: true }
    const answer = [
      { name: "passport.txt", contentType: "text/plain", data: Buffer.alloc(500, "a").toString("base64") }
    ]
    const form = { caseId, formTitle: "Identity", questions: [{ ...question, answer }] }
    assert.strictEqual((yield* submitCaseForm(sandbox, form)).status, 200)
    yield* until(used, (bytes) => bytes === 500)
  })

  it("idempotency keys and links to files are as old as they are really", function* () {
    const { caseId, detail, sandbox } = yield* sandboxWithCase
    yield* attachTo(caseId)
    const body = caseBody(sandbox)
    const create = call("POST", "/api/v1/cases", { key: sandbox.key, body, headers: { "idempotency-key": "once" } })
    const created = yield* create
    assert.strictEqual(created.status, 200)
    const [{ url }] = (yield* detail("includeAttachments=true&documentFormat=url")).attachments
    yield* advance(sandbox.key, { by: "P60D" })
    assert.deepStrictEqual((yield* create).json, created.json)
    assert.strictEqual((yield* Effect.promise(() => fetch(url))).status, 200)
  })
})
