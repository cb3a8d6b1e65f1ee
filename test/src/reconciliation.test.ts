import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { changeOrderSilently, sendOrderUpdate } from "./harness/pharmacy.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

interface Swept {
  readonly service: string
  readonly state: string
  readonly sources: ReadonlyArray<{ readonly name: string; readonly state: string; readonly compared: number }>
  readonly differences: ReadonlyArray<Readonly<Record<"source" | "action" | "what" | "id", string>>>
}

const sweepOnce = (body: object) =>
  Effect.map(admin("POST", "/reconciliations", body), ({ json, status }): ReadonlyArray<Swept> => {
    assert.strictEqual(status, 200)
    return json.services
  })

// The hourly sweep may be running.
const sweep = (service: string) =>
  Effect.map(
    until(sweepOnce({ service }), ([swept]) => swept?.state !== "BUSY"),
    ([swept]) => swept ?? assert.fail("no answer")
  )

testsOn(Suite.layer, "reconciliation", (it) => {
  const submitted = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const created = yield* createCase(clinic, caseBody(clinic))
    const caseId = String(created.json.data.caseId)
    const id: string = (yield* placeOrder(clinic, caseId, orderBody())).json.data.order.id
    const order = Effect.map(
      call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&includeOrders=true`, { key: clinic.key }),
      ({ json }) => json.caseDetail.orders[0]
    )
    yield* until(order, ({ status }) => status === "SUBMITTED")
    return { clinic, id, order }
  })

  it("200: all services are compared with their providers, and answer ids alone", function* () {
    const services = yield* until(sweepOnce({}), (all) => all.every(({ state }) => state === "DONE"))
    assert.deepStrictEqual(
      services.map(({ service, sources }) => [service, sources.map(({ name }) => name)]),
      [
        ["cases", ["pharmacy-orders", "pharmacy-orders-test"]],
        [
          "payments",
          [
            "stripe-money",
            "money-without-payment",
            "stripe-events",
            "unhandled-events",
            "unsettled-operations",
            "open-payments",
            "stripe-setups",
            "stripe-money-test",
            "stripe-events-test",
            "stripe-setups-test"
          ]
        ],
        ["scheduling", ["webhook-subscription", "meetings", "webhook-subscription-test", "meetings-test"]]
      ]
    )
  })

  it("a lost event of the pharmacy is applied once, and undoes no later event", function* () {
    const { id, order } = yield* submitted
    yield* changeOrderSilently(id, { status: "SHIPPED", trackingId: "1Z9" })
    const swept = yield* sweep("cases")
    assert.deepInclude(
      swept.differences.find((difference) => difference.id === id),
      { source: "pharmacy-orders", action: "REPAIRED" }
    )
    assert.deepInclude(yield* order, { status: "SHIPPED", trackingId: "1Z9" })
    assert.isUndefined((yield* sweep("cases")).differences.find((difference) => difference.id === id))

    const before = new Date(Date.now() - 60_000).toISOString()
    assert.strictEqual(yield* sendOrderUpdate(id, { status: "DELIVERED" }), 200)
    yield* changeOrderSilently(id, { status: "SHIPPED", message: "late" }, { timestamp: before })
    yield* sweep("cases")
    assert.deepInclude(yield* order, { status: "DELIVERED", message: null })
  })

  it("what happened before the oldest event whose id is kept is not taken in again by a sweep from the beginning", function* () {
    const { id, order } = yield* submitted
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString()
    const log = (location: string) => ({ shippingLog: { location } })
    for (const [days, location] of [
      [100, "Oakland"],
      [89.5, "Reno"]
    ] as const) {
      assert.strictEqual(yield* sendOrderUpdate(id, log(location), { timestamp: daysAgo(days) }), 200)
    }
    yield* changeOrderSilently(id, log("Denver"), { timestamp: daysAgo(80) })
    yield* inDatabase("cases", (sql) => sql`DELETE FROM cases.pharmacy_events WHERE order_id = ${id}`)
    yield* inDatabase("cases", (sql) => sql`DELETE FROM cases.reconciliation_cursors`)
    const { differences } = yield* sweep("cases")
    assert.lengthOf(
      differences.filter((difference) => difference.id === id),
      1
    )
    const { shippingLogs } = yield* order
    assert.deepStrictEqual(
      shippingLogs.map(({ location }: { readonly location: string }) => location),
      ["Oakland", "Reno", "Denver"]
    )
  })

  it("an unknown order is reported, and does not delay others", function* () {
    const { id, order } = yield* submitted
    const unknown = randomUUID()
    yield* changeOrderSilently(unknown, { status: "SHIPPED" })
    yield* changeOrderSilently(id, { status: "CANCELED" })
    const { differences } = yield* sweep("cases")
    assert.deepInclude(
      differences.find((difference) => difference.id === unknown),
      { action: "REPORTED" }
    )
    assert.deepInclude(yield* order, { status: "CANCELED" })
  })

  it("of two parallel sweeps one is BUSY as long as the other's lease holds", function* () {
    yield* sweep("payments")
    yield* inDatabase(
      "payments",
      (sql) => sql`
          INSERT INTO payments.reconciliation_leases (name, holder, expires_at)
          VALUES ('sweep', gen_random_uuid(), now() + interval '1 hour')
        `
    )
    const [busy] = yield* sweepOnce({ service: "payments" })
    assert.deepStrictEqual([busy?.state, busy?.sources], ["BUSY", []])
    yield* inDatabase(
      "payments",
      (sql) => sql`UPDATE payments.reconciliation_leases SET expires_at = now() - interval '1 second'`
    )
    const [swept] = yield* sweepOnce({ service: "payments" })
    assert.strictEqual(swept?.state, "DONE")
  })

  it("400 for a service that compares nothing", function* () {
    const { json, status } = yield* admin("POST", "/reconciliations", { service: "auth" })
    assert.deepStrictEqual([status, json.title], [400, "Invalid request"])
    assert.include(json.detail, "service")
  })
})
