import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./harness/call.ts"
import { callAs, signedIn } from "./harness/callAs.ts"
import { jobsDone } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { placeOrder } from "./harness/placeOrder.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const unknownId = "3b241101-e2bb-4255-8caf-4136c566a962"

testsOn(Suite.shared, "orders in error", (it) => {
  const list = (query: string) => admin("GET", `/orders/in-error?${query}`)
  const of = ({ organizationId }: Clinic) => `organizationId=${organizationId}`

  const makeOrder = Effect.fnUntraced(function* (clinic: Clinic) {
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const id: string = (yield* placeOrder(clinic, caseId)).json.data.order.id
    return { caseId, id }
  })
  const fail = (id: string) => admin("PATCH", `/orders/${id}`, { status: "ERROR", message: "Out of stock" })

  it("200: those of the organization, oldest first, with their case, patient and reason, and as many as the dashboard counts", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const orders = [yield* makeOrder(clinic), yield* makeOrder(clinic), yield* makeOrder(clinic)]
    const foreign = yield* makeOrder(other)
    yield* jobsDone("cases", "order-hand-over")
    const [first, second, mended] = orders.map(({ id }) => id)
    for (const id of [mended, second, first, foreign.id]) yield* fail(id ?? "")
    yield* admin("PATCH", `/orders/${mended}`, { status: "SHIPPED" })
    const { json, status } = yield* list(of(clinic))
    assert.deepStrictEqual(
      [status, json.data.map(({ id }: { id: string }) => id), json.nextCursor],
      [200, [first, second], null]
    )
    const { shortId, submitter } = (yield* admin("GET", `/cases/${orders[0]?.caseId}`)).json
    const [order] = (yield* admin("GET", `/cases/${orders[0]?.caseId}/orders`)).json.data
    const { updatedAt, ...shown } = json.data[0]
    assert.isAtLeast(Date.parse(updatedAt), Date.parse(order.createdAt))
    assert.deepStrictEqual(shown, {
      id: first,
      organizationId: clinic.organizationId,
      caseId: orders[0]?.caseId,
      shortId,
      submitter,
      status: "ERROR",
      message: "Out of stock",
      pharmacyOrderId: order.pharmacyOrderId,
      pharmacyName: order.pharmacyName,
      createdAt: order.createdAt
    })
    assert.strictEqual((yield* admin("GET", `/dashboard?${of(clinic)}`)).json.ordersInError, 2)
    const page = yield* list(`${of(clinic)}&limit=1`)
    const next = yield* list(`${of(clinic)}&limit=1&cursor=${page.json.nextCursor}`)
    assert.deepStrictEqual([...page.json.data, ...next.json.data], json.data)
    assert.isNull(next.json.nextCursor)
    yield* until(admin("GET", `/audit?${of(clinic)}&caseId=${orders[1]?.caseId}&action=CASE_READ`), (records) =>
      records.json.data.some(({ kinds }: { kinds: ReadonlyArray<string> }) => kinds.includes("ORDERS"))
    )
  })

  it("staff see those of their organization alone; 403 for a provider", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const { id } = yield* makeOrder(clinic)
    yield* jobsDone("cases", "order-hand-over")
    yield* fail(id)
    const as = Effect.fnUntraced(function* (of: Clinic, role: string, query: string) {
      const staff = signedIn(yield* addStaff(of, { role, npi: "1" }), of.organizationId, role)
      return yield* callAs(staff, "cases", "GET", `/admin/v1/orders/in-error?${query}`)
    })
    for (const role of ["SUPPORT", "ADMIN"]) {
      assert.lengthOf((yield* as(clinic, role, of(clinic))).json.data, 1, role)
      assert.notInclude(JSON.stringify((yield* as(other, role, of(clinic))).json), id, role)
    }
    for (const role of ["PROVIDER", "THIRD_PARTY_ADMIN"]) {
      assert.strictEqual((yield* as(clinic, role, of(clinic))).status, 403, role)
    }
  })

  it("400: without an organization, or with a wrong limit or cursor; an unknown organization has none", function* () {
    for (const [query, field] of [
      ["", "organizationId"],
      ["organizationId=7", "organizationId"],
      [`organizationId=${unknownId}&limit=0`, "limit"],
      [`organizationId=${unknownId}&cursor=x`, "cursor"]
    ] as const) {
      const refused = yield* list(query)
      assert.strictEqual(refused.status, 400, query)
      assert.match(refused.json.detail, new RegExp(`^${field}, `))
    }
    assert.deepStrictEqual((yield* list(`organizationId=${unknownId}`)).json.data, [])
  })
})
