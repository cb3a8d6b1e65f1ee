import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { submitCaseForm } from "./harness/dynamicCases.ts"
import { addEndpoint, endpoints } from "./harness/endpoints.ts"
import { caseBody, createCase } from "./harness/fixtures.ts"
import { pharmacyOrder, sendOrderUpdate } from "./harness/pharmacy.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
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
    assert.strictEqual((yield* admin("POST", `/cases/${caseId}/attachments`, body)).status, 201)
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
