import { randomUUID } from "node:crypto"
import { CaseId, OrganizationId, PaymentId } from "@care/domain/ids"
import { newest } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerOperations } from "../../../test/operations.ts"
import { AdminPayments } from "./AdminPayments.ts"

layer(layerOperations, { excludeTestServices: true })("the payments of a case", (it) => {
  const organizationId = OrganizationId.make(randomUUID())
  const caseId = CaseId.make(randomUUID())

  /** Stores payments of the organization, every hundredth of them of the case. */
  const seed = Effect.fnUntraced(function* (first: number, last: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO payments (
        organization_id, id, case_id, user_id, is_initial, is_prepared, status, version, gross_amount, amount, currency,
        differs_from_gateway, created_at, updated_at
      )
      SELECT ${organizationId}::uuid, gen_random_uuid(), CASE n % 100 WHEN 0 THEN ${caseId}::uuid ELSE gen_random_uuid() END,
             gen_random_uuid(), false, false, 'UNPAID', 1, 49, 49, 'USD', false, at, at
      FROM generate_series(${first}::int, ${last}::int) AS n,
           LATERAL (SELECT '2026-02-01'::timestamptz - n * interval '1 minute' AS at) AS moment
    `
    yield* sql`ANALYZE payments`
  })

  it.effect("are read at the same cost however many payments there are", () =>
    Effect.gen(function* () {
      const { findAll, list, newestOfCase } = yield* AdminPayments
      const sql = yield* SqlClient.SqlClient
      yield* seed(1, 3000)
      const cursor = { createdAt: new Date("2026-01-31T12:00:00Z"), id: newest.id }
      const [first] = yield* newestOfCase(organizationId, caseId, newest, 1)
      const paymentId = first?.paymentId ?? PaymentId.make(randomUUID())
      const operations: Readonly<Record<string, Effect.Effect<unknown, unknown, SqlClient.SqlClient>>> = {
        "for its partner": newestOfCase(organizationId, caseId, newest, 10),
        "for its partner, from somewhere": newestOfCase(organizationId, caseId, cursor, 10),
        "one by its id": findAll(organizationId, [paymentId]),
        "for operators": list({ caseId, limit: 10 }),
        "for operators, of an organization": list({ caseId, organizationId, limit: 10 }),
        "of all cases": list({ organizationId, limit: 10 })
      }
      const allReads = Effect.forEach(Object.entries(operations), ([name, operation]) =>
        Effect.forEach(["force_custom_plan", "force_generic_plan"], (mode) =>
          readsOf(["payments"], Effect.andThen(sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`, operation))
        ).pipe(Effect.map((reads) => [name, Math.max(...reads)] as const))
      ).pipe(Effect.map((reads) => new Map(reads)))
      const few = yield* allReads
      yield* seed(3001, 20_000)
      const many = yield* allReads
      for (const [name, reads] of many) assert.isAtMost(reads, Math.max(few.get(name) ?? 0, 20) * 1.1, name)
      assert.lengthOf(yield* newestOfCase(organizationId, caseId, newest, 10), 10)
    })
  )
})
