import { randomUUID } from "node:crypto"
import { moveOrganization } from "@care/cli"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { book, bookingBody, calendarOf, openSlot } from "./harness/appointments.ts"
import { admin, call } from "./harness/call.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { caseOf, createAbandonedCase, intentId, opened, succeeded } from "./harness/gatewayEvents.ts"
import { layerMovingCells, movesOf } from "./harness/layerMovingCells.ts"
import { sendOrderUpdate } from "./harness/pharmacy.ts"
import { closeCase, placeOrder } from "./harness/placeOrder.ts"
import { sendEvent } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(layerMovingCells, "an organization moves to another cell", (it) => {
  it("there and back: its key, its data, its idempotency keys and its callbacks find it", function* () {
    const clinic = yield* makeClinic
    const bystander = yield* makeClinic
    const body = caseBody(clinic)
    const key = randomUUID()
    const send = call("POST", "/api/v1/cases", { key: clinic.key, body, headers: { "idempotency-key": key } })
    const first = yield* send
    assert.strictEqual(first.status, 200)
    const caseId: string = first.json.data.caseId
    assert.strictEqual((yield* book(clinic, bookingBody(body.user.email, yield* openSlot(clinic)))).status, 200)
    const ordered = yield* placeOrder(clinic, caseId)
    assert.strictEqual(ordered.status, 200)
    const orderId: string = ordered.json.data.order.id
    const intents = [intentId(), intentId()]
    const abandoned = yield* Effect.forEach(intents, (intent) => createAbandonedCase(clinic, intent))
    const detail = call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    const calendar = yield* calendarOf(clinic, caseId)
    assert.lengthOf(calendar, 1)
    const reads = (yield* call("GET", "/api/v1/audit-records?limit=100", { key: clinic.key })).json.data.length

    const refused: Array<unknown> = []
    const whileFrozen = Effect.gen(function* () {
      const written = yield* createCase(clinic, caseBody(clinic))
      refused.push([written.status, written.json.message, Number(written.headers.get("retry-after")) > 0])
      assert.strictEqual((yield* detail).status, 200)
      assert.strictEqual((yield* createCase(bystander, caseBody(bystander))).status, 200)
    })
    const moves = yield* movesOf(clinic.organizationId, (step) =>
      step === "Writes are refused" ? whileFrozen : Effect.void
    )
    for (const [index, [move, cell]] of (
      [
        [moves.there, "c2"],
        [moves.back, "c1"]
      ] as const
    ).entries()) {
      const before = (yield* detail).json
      yield* moveOrganization(move)
      assert.deepStrictEqual((yield* detail).json, before)
      assert.deepStrictEqual(yield* calendarOf(clinic, caseId), calendar)
      assert.deepStrictEqual((yield* send).json, first.json)
      assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
      assert.strictEqual((yield* admin("GET", `/organizations/${clinic.organizationId}`)).json.cell, cell)
      const listed = (yield* admin("GET", "/organizations?limit=100")).json.data
      assert.lengthOf(
        listed.filter(({ id }: { readonly id: string }) => id === clinic.organizationId),
        1
      )
      const issued = yield* admin("POST", `/organizations/${clinic.organizationId}/api-keys`, {})
      assert.include(issued.json.key, `_${cell}_`)
      // Both callbacks name c1.
      assert.strictEqual((yield* sendEvent(succeeded(intents[index] ?? ""))).status, 200)
      yield* until(caseOf(abandoned[index] ?? ""), ({ status }) => status === opened.status)
      assert.strictEqual(yield* sendOrderUpdate(orderId, { status: index === 0 ? "SHIPPED" : "DELIVERED" }), 200)
      const audit = yield* call("GET", "/api/v1/audit-records?limit=100", { key: clinic.key })
      assert.isAtLeast(audit.json.data.length, Math.min(100, reads))
    }
    assert.deepStrictEqual(refused, Array(2).fill([503, "Service unavailable", true]))
    assert.strictEqual((yield* closeCase(clinic, caseId)).status, 200)
  })
})
