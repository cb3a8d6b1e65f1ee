import { randomUUID } from "node:crypto"
import { PaymentId } from "@care/domain/ids"
import type { PaymentFact } from "@care/domain/payments"
import { layerIdleJobs } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases, makeCase, makeClinic, readActivity, readCase } from "../../test/storedCases.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { CasePayments } from "./CasePayments.ts"

const TestLayer = CasePayments.layer.pipe(Layer.provide(layerIdleJobs), Layer.provideMerge(layerStoredCases))

layer(TestLayer, { excludeTestServices: true })("CasePayments", (it) => {
  const abandoned = Effect.gen(function* () {
    const { organizationId } = yield* makeClinic
    const { id: caseId } = yield* makeCase(organizationId, { status: "ABANDONED", isSole: false })
    const payments = yield* CasePayments
    const fact = {
      organizationId,
      caseId,
      paymentId: PaymentId.make(randomUUID()),
      status: "UNPAID",
      outcome: null,
      version: 1
    } as const
    return {
      organizationId,
      caseId,
      tell: (change: Partial<PaymentFact>) => payments.changed({ ...fact, ...change }),
      types: Effect.map(readActivity(organizationId, caseId), (all) => all.map(({ type }) => type)),
      state: Effect.map(readCase(organizationId, caseId), ({ isArchived, status }) => ({ isArchived, status }))
    }
  })
  const assignments = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT id FROM jobs WHERE queue_name = 'assignment'`
  )

  it.effect("20 who tell the same at once open the case once, and have it assigned once", () =>
    Effect.gen(function* () {
      const before = (yield* assignments).length
      const { state, tell, types } = yield* abandoned
      const paid = tell({ status: "PAID", outcome: "SUCCEEDED", version: 2 })
      yield* Effect.all(
        Array.from({ length: 20 }, () => paid),
        { concurrency: "unbounded", discard: true }
      )
      assert.deepStrictEqual(yield* types, ["PAYMENT_CHANGED", "CASE_OPENED"])
      assert.deepStrictEqual(yield* state, { isArchived: false, status: "OPEN" })
      assert.strictEqual((yield* assignments).length, before + 1)
    })
  )

  it.effect("what comes after something newer changes nothing and is recorded nowhere", () =>
    Effect.gen(function* () {
      const { state, tell, types } = yield* abandoned
      yield* tell({ status: "PAID", outcome: "SUCCEEDED", version: 3 })
      yield* tell({ status: "UNPAID", outcome: "FAILED", version: 2 })
      yield* tell({ status: "PAID", outcome: "SUCCEEDED", version: 3 })
      assert.deepStrictEqual(yield* types, ["PAYMENT_CHANGED", "CASE_OPENED"])
      assert.deepStrictEqual(yield* state, { isArchived: false, status: "OPEN" })
    })
  )

  it.effect("a case that was closed since stays closed, whatever else becomes of the payment", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { caseId, organizationId, state, tell } = yield* abandoned
      yield* tell({ status: "PAID", outcome: "SUCCEEDED", version: 2 })
      yield* cases.move(organizationId, caseId, { name: "close", archiveNote: null })
      yield* tell({ status: "REFUND", outcome: "SUCCEEDED", version: 3 })
      assert.deepStrictEqual(yield* state, { isArchived: true, status: "OPEN" })
    })
  )

  it.effect(
    "what was held and is taken once the case is closed leaves it closed; money that comes unasked opens it",
    () =>
      Effect.gen(function* () {
        const { organizationId } = yield* makeClinic
        const cases = yield* Cases
        const { changed } = yield* CasePayments
        const paid = { status: "PAID", outcome: "SUCCEEDED", version: 3 } as const
        for (const [before, isArchived] of [
          ["AUTHORIZED", true],
          ["UNPAID", false]
        ] as const) {
          const { id: caseId } = yield* makeCase(organizationId)
          const fact = { organizationId, caseId, paymentId: PaymentId.make(randomUUID()) } as const
          yield* changed({ ...fact, status: before, outcome: null, version: 2 })
          yield* cases.move(organizationId, caseId, { name: "close", archiveNote: null })
          yield* changed({ ...fact, ...paid })
          assert.strictEqual((yield* readCase(organizationId, caseId)).isArchived, isArchived, before)
        }
      })
  )

  it.effect("a case that a provider has is left to them, and a failure does nothing to it", () =>
    Effect.gen(function* () {
      const { organizationId } = yield* makeClinic
      const { id: caseId } = yield* makeCase(organizationId)
      const { changed } = yield* CasePayments
      const fact = { organizationId, caseId, paymentId: PaymentId.make(randomUUID()), status: "UNPAID" } as const
      yield* changed({ ...fact, outcome: "FAILED", version: 1 })
      yield* changed({ ...fact, status: "PAID", outcome: "SUCCEEDED", version: 2 })
      const all = yield* readActivity(organizationId, caseId)
      assert.deepStrictEqual(
        all.map(({ type }) => type),
        ["PAYMENT_CHANGED", "PAYMENT_CHANGED"]
      )
    })
  )

  it.effect("a fact of another organization's case is none: nothing of it is kept", () =>
    Effect.gen(function* () {
      const { caseId, state, types } = yield* abandoned
      const { organizationId } = yield* makeClinic
      const { changed } = yield* CasePayments
      const sql = yield* SqlClient.SqlClient
      const paymentId = PaymentId.make(randomUUID())
      const fact = { organizationId, caseId, paymentId, status: "PAID", outcome: "SUCCEEDED", version: 2 } as const
      yield* Effect.exit(changed(fact))
      assert.deepStrictEqual(yield* types, [])
      assert.deepStrictEqual(yield* state, { isArchived: false, status: "ABANDONED" })
      assert.deepStrictEqual(yield* sql`SELECT FROM case_payments WHERE payment_id = ${paymentId}`, [])
    })
  )
})
