import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { CaseId, OrganizationId, PreparationId, UserId } from "@care/domain/ids"
import type { PlannedPayment } from "@care/domain/payments"
import { layerQuickJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { IdentityTokens } from "@care/service-kit"
import { layerTestConfig, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { layerTestStripe, makePaymentIntent } from "../../test/testStripe.ts"
import { CasePayments } from "./CasePayments.ts"
import { layerPreparationChecks } from "./layerPreparationChecks.ts"
import { PreparationCheck } from "./PreparationCheck.ts"

// The cases that are stored, and how many calls of cases fail.
const cases = new Set<string>()
let timesAway = 0

const jsonResponse = (status: number, body: object) => new Response(JSON.stringify(body), { status })

const casesClient = HttpClient.make((request, url) =>
  Effect.sync(() => {
    const id = url.pathname.split("/").at(-2) ?? ""
    if (timesAway > 0) {
      timesAway -= 1
      return HttpClientResponse.fromWeb(request, jsonResponse(503, {}))
    }
    const owner = { organizationId: randomUUID(), userId: randomUUID() }
    return HttpClientResponse.fromWeb(
      request,
      cases.has(id) ? jsonResponse(200, owner) : jsonResponse(404, { _tag: "CaseNotFound" })
    )
  })
)

const layerChecks = layerPreparationChecks.pipe(
  Layer.provideMerge(CasePayments.layer),
  Layer.provide(PreparationCheck.layer),
  Layer.provideMerge(layerTestStripe),
  Layer.provideMerge(layerQuickJobs),
  Layer.provide([IdentityTokens.layer, Layer.succeed(HttpClient.HttpClient, casesClient)]),
  Layer.provide(layerTestConfig({ name: "payments" })),
  Layer.provideMerge(layerAuditedDatabase("payments")),
  Layer.provide(layerTestCipher)
)

layer(layerChecks, { excludeTestServices: true })("the checks of prepared payments", (it) => {
  const prepare = Effect.gen(function* () {
    const payments = yield* CasePayments
    const { id } = yield* makePaymentIntent()
    const planned: PlannedPayment = {
      caseId: CaseId.make(randomUUID()),
      organizationId: OrganizationId.make(randomUUID()),
      preparationId: PreparationId.make(randomUUID()),
      amount: "299.99",
      currency: "USD",
      description: null,
      providerReference: { type: "PAYMENT_INTENT", id },
      setupIntentId: null,
      discounts: { whole: null, products: [] }
    }
    yield* payments.prepare(planned)
    return planned
  })
  const paymentsOf = ({ caseId }: PlannedPayment) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ isPrepared: boolean }>`SELECT is_prepared FROM payments WHERE case_id = ${caseId}`
    )
  const checksOf = ({ organizationId }: PlannedPayment) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ id: string; state: string; minutes: number }>`
        SELECT id, state, round(extract(epoch FROM due_at - created_at) / 60)::int AS minutes FROM jobs
        WHERE organization_id = ${organizationId} ORDER BY created_at
      `
    )
  // Ten minutes pass for all waiting fibers.
  const pass = Effect.fnUntraced(function* (planned: PlannedPayment) {
    const sql = yield* SqlClient.SqlClient
    const waiting = yield* sql<{ id: string }>`
      UPDATE jobs SET due_at = due_at - interval '10 minutes'
      WHERE organization_id = ${planned.organizationId} AND state = 'pending' RETURNING id
    `
    const ids = new Set(waiting.map(({ id }) => id))
    yield* until(checksOf(planned), (checks) => checks.every(({ id, state }) => !ids.has(id) || state === "completed"))
  })

  it.effect("a payment whose case was never created is removed after ten minutes, and its intent is free", () =>
    Effect.gen(function* () {
      const planned = yield* prepare
      const [check] = yield* checksOf(planned)
      assert.deepInclude(check, { state: "pending", minutes: 10 })
      assert.deepStrictEqual(yield* paymentsOf(planned), [{ isPrepared: true }])
      yield* pass(planned)
      assert.deepStrictEqual([yield* paymentsOf(planned), (yield* checksOf(planned)).length], [[], 1])
      const { prepare: again } = yield* CasePayments
      yield* again({ ...planned, caseId: CaseId.make(randomUUID()) })
    })
  )

  it.effect("a payment whose case exists stays, and is checked again, until it is recorded", () =>
    Effect.gen(function* () {
      const payments = yield* CasePayments
      const planned = yield* prepare
      cases.add(planned.caseId)
      yield* pass(planned)
      assert.deepStrictEqual(yield* paymentsOf(planned), [{ isPrepared: true }])
      assert.deepStrictEqual(
        (yield* checksOf(planned)).map(({ state }) => state),
        ["completed", "pending"]
      )
      const { discounts, preparationId, setupIntentId, ...payment } = planned
      yield* payments.record({ ...payment, userId: UserId.make(randomUUID()), discount: null })
      yield* pass(planned)
      assert.deepStrictEqual(yield* paymentsOf(planned), [{ isPrepared: false }])
      assert.lengthOf(yield* checksOf(planned), 2)
    })
  )

  it.effect("the check of an attempt does not release a payment that a later attempt has prepared", () =>
    Effect.gen(function* () {
      const payments = yield* CasePayments
      const planned = yield* prepare
      const sql = yield* SqlClient.SqlClient
      const later = { ...planned, preparationId: PreparationId.make(randomUUID()) }
      yield* payments.prepare(later)
      const [first] = yield* checksOf(planned)
      yield* sql`UPDATE jobs SET due_at = due_at - interval '10 minutes' WHERE id = ${first?.id ?? ""}`
      yield* until(checksOf(planned), ([check]) => check?.state === "completed")
      assert.deepStrictEqual(yield* paymentsOf(planned), [{ isPrepared: true }])
      yield* pass(planned)
      assert.deepStrictEqual(yield* paymentsOf(planned), [])
    })
  )

  it.effect("while cases is away nothing is released, and the check is repeated", () =>
    Effect.gen(function* () {
      const planned = yield* prepare
      cases.add(planned.caseId)
      timesAway = 7
      yield* pass(planned)
      assert.strictEqual(timesAway, 0)
      assert.deepStrictEqual(yield* paymentsOf(planned), [{ isPrepared: true }])
    })
  )
})
