import { canTransition, OrderStatus } from "@care/domain/cases"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const unknownId = "3b241101-e2bb-4255-8caf-4136c566a962"

testsOn(Suite.shared, "the back office's work on orders", (it) => {
  const submitted = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const id: string = (yield* placeOrder(clinic, caseId)).json.data.order.id
    yield* jobsDone("cases", "order-hand-over")
    return { clinic, caseId, id }
  })
  const change = (id: string, body: Readonly<Record<string, unknown>>) => admin("PATCH", `/orders/${id}`, body)
  const detailOf = ({ key }: Clinic, caseId: string) =>
    Effect.map(
      call("GET", `/api/v1/customer-case-detail?caseId=${caseId}&includeOrders=true`, { key }),
      ({ json }) => json.caseDetail.orders[0]
    )
  const changesOf = (caseId: string) =>
    Effect.map(admin("GET", `/cases/${caseId}/activity?limit=100`), ({ json }) =>
      json.data.filter(({ type }: { type: string }) => type === "ORDER_CHANGED")
    )

  it("200: what is told is shown to the partner, and with the address to the back office; it is recorded", function* () {
    const { caseId, clinic, id } = yield* submitted
    const before = yield* detailOf(clinic, caseId)
    const shipment = {
      status: "SHIPPED",
      pharmacyOrderId: "RX-2",
      trackingId: "1Z",
      trackingUrl: "https://ups.example/1Z",
      carrierName: "UPS",
      estDeliveryAt: "2026-03-05T00:00:00.000Z",
      message: "On its way",
      replacementReason: "The first one broke"
    }
    const shippingLog = { statusUpdatedAt: "2026-03-01T10:00:00.000Z", location: "Memphis, TN", status: "IN_TRANSIT" }
    const changed = yield* change(id, { ...shipment, shippingLog })
    const order = { ...before, ...shipment, shippingLogs: [{ ...shippingLog, message: null }] }
    const { shippingAddress } = orderBody()
    assert.deepStrictEqual(
      [changed.status, changed.json],
      [200, { ...order, caseId, shippingAddress: { ...shippingAddress, addressLine2: null } }]
    )
    assert.deepStrictEqual(yield* detailOf(clinic, caseId), order)
    const recorded = yield* changesOf(caseId)
    assert.deepInclude(recorded[1], {
      actor: { type: "OPERATOR", id: null },
      details: { orderId: id, status: "SHIPPED" }
    })
    // Current values are not a change.
    yield* change(id, shipment)
    assert.lengthOf(yield* changesOf(caseId), 2)
  })

  it("409: an order goes only where its table says, and nothing of what is refused is stored", function* () {
    const { caseId, clinic, id } = yield* submitted
    let allowed = 0
    for (const from of OrderStatus.literals) {
      for (const to of OrderStatus.literals) {
        if (from === to) continue
        yield* inDatabase(
          "cases",
          (sql) => sql`UPDATE cases.orders SET status = ${from}, carrier_name = NULL WHERE id = ${id}`
        )
        const answer = yield* change(id, { status: to, carrierName: "UPS" })
        const isAllowed = canTransition("backOffice", from, to)
        if (isAllowed) allowed += 1
        assert.strictEqual(answer.status, isAllowed ? 200 : 409, `${from} ${to}`)
        if (!isAllowed) assert.strictEqual(answer.json.detail, `The order is ${from} and does not become ${to}.`)
        const { carrierName, status } = yield* detailOf(clinic, caseId)
        assert.deepStrictEqual([status, carrierName], isAllowed ? [to, "UPS"] : [from, null])
      }
    }
    assert.isAbove(allowed, 8)
  })

  it("400, 404: nothing to change, what is malformed, no such order", function* () {
    const { id } = yield* submitted
    const malformed: ReadonlyArray<readonly [object, string]> = [
      [{}, "status, status or another field is required"],
      [{ unknown: 1 }, "status, status or another field is required"],
      [{ status: "LOST" }, "status, must be one of PENDING, "],
      [{ trackingUrl: "javascript:alert(1)" }, "trackingUrl, must be an http or https URL"],
      [{ trackingUrl: "https://parcels.example.com/1\n2" }, "trackingUrl, must be an http or https URL"],
      [{ estDeliveryAt: "tomorrow" }, "estDeliveryAt, "],
      [{ trackingId: 1 }, "trackingId, must be a text"],
      [{ carrierName: " " }, "carrierName, must not be empty"],
      [{ shippingLog: { location: 1 } }, "shippingLog.location, must be a text"]
    ]
    for (const [body, detail] of malformed) {
      const refused = yield* change(id, { ...body })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.json.detail, detail)
    }
    assert.strictEqual((yield* change(unknownId, { status: "SHIPPED" })).status, 404)
    assert.strictEqual((yield* change("1", { status: "SHIPPED" })).status, 400)
  })

  it("of 20 changes at once none is lost", function* () {
    const { caseId, clinic, id } = yield* submitted
    const numbers = Array.from({ length: 20 }, (_, index) => String(index).padStart(2, "0"))
    yield* Effect.forEach(numbers, (number) => change(id, { shippingLog: { location: number } }), {
      concurrency: "unbounded"
    })
    const { shippingLogs } = yield* detailOf(clinic, caseId)
    assert.sameMembers(
      shippingLogs.map(({ location }: { location: string }) => location),
      numbers
    )
    assert.lengthOf(yield* changesOf(caseId), 21)
  })

  it("of two ends at once an order gets one", function* () {
    const { caseId, clinic, id } = yield* submitted
    const answers = yield* Effect.forEach(["DELIVERED", "CANCELED"], (status) => change(id, { status }), {
      concurrency: "unbounded"
    })
    assert.sameMembers(
      answers.map(({ status }) => status),
      [200, 409]
    )
    const won = answers.find(({ status }) => status === 200)
    assert.strictEqual((yield* detailOf(clinic, caseId)).status, won?.json.status)
  })
})
