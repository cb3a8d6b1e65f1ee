import { randomUUID } from "node:crypto"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { layerTestCipher, layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CasePayments } from "./CasePayments.ts"

const layerPayments = CasePayments.layer.pipe(
  Layer.provideMerge(layerTestDatabase("payments")),
  Layer.provide(layerTestCipher)
)

layer(layerPayments)("CasePayments", (it) => {
  const payment = () => ({
    caseId: CaseId.make(randomUUID()),
    organizationId: OrganizationId.make(randomUUID()),
    userId: UserId.make(randomUUID()),
    amount: "299.99",
    currency: "USD",
    description: null,
    discount: null,
    providerReference: { type: "SETUP_INTENT", id: "seti_1" } as const
  })

  it.effect("a case's payment is recorded once, also when it is told 20 times at once", () =>
    Effect.gen(function* () {
      const payments = yield* CasePayments
      const sql = yield* SqlClient.SqlClient
      const told = payment()
      const ids = yield* Effect.all(
        Array.from({ length: 20 }, () => payments.record(told)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(ids).size, 1)
      const rows = yield* sql`SELECT id, status, amount::text, currency FROM payments WHERE case_id = ${told.caseId}`
      assert.deepStrictEqual(rows, [{ id: ids[0], status: "UNPAID", amount: "299.9900", currency: "USD" }])
    })
  )

  it.effect("an abandoned checkout's payment needs neither amount nor currency", () =>
    Effect.gen(function* () {
      const payments = yield* CasePayments
      const sql = yield* SqlClient.SqlClient
      const id = yield* payments.record({ ...payment(), amount: null, currency: null })
      const rows = yield* sql`SELECT provider_reference_id FROM payments WHERE id = ${id} AND amount IS NULL`
      assert.deepStrictEqual(rows, [{ providerReferenceId: "seti_1" }])
    })
  )

  it.effect("two organizations' payments of one case id do not meet", () =>
    Effect.gen(function* () {
      const payments = yield* CasePayments
      const told = payment()
      const own = yield* payments.record(told)
      const foreign = yield* payments.record({ ...told, organizationId: OrganizationId.make(randomUUID()) })
      assert.notStrictEqual(foreign, own)
      assert.strictEqual(yield* payments.record(told), own)
    })
  )

  it.effect("the description is not readable in the database", () =>
    Effect.gen(function* () {
      const payments = yield* CasePayments
      const sql = yield* SqlClient.SqlClient
      const id = yield* payments.record({ ...payment(), description: "Semaglutide, first month" })
      const [row] = yield* sql<{ description: string }>`SELECT description FROM payments WHERE id = ${id}`
      assert.match(row?.description ?? "", /^k1:[A-Za-z0-9+/=]+$/)
    })
  )
})
