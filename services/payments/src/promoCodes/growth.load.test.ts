import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { CaseId, OrganizationId } from "@care/domain/ids"
import { promoTermOf } from "@care/domain/payments"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../Directory.ts"
import { AdminPromoCodes } from "./AdminPromoCodes.ts"
import { PromoCodes } from "./PromoCodes.ts"

const TestLayer = Layer.mergeAll(PromoCodes.layer, AdminPromoCodes.layer).pipe(
  Layer.provide(
    Layer.succeed(Directory, { requireOrganization: () => Effect.void, findPatientByEmail: () => Effect.succeedNone })
  ),
  Layer.provideMerge(layerAuditedDatabase("payments"))
)

layer(TestLayer, { excludeTestServices: true })("promo codes", (it) => {
  const organizationId = OrganizationId.make(randomUUID())

  /** Seeds codes with one name: a third each of the organization, global, and of another organization. */
  const seed = Effect.fnUntraced(function* (first: number, last: number) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      WITH made AS (
        INSERT INTO promo_codes (
          id, organization_id, code, flat_discount, is_active, bundle_ids, redemptions, created_at, updated_at
        )
        SELECT gen_random_uuid(), CASE n % 3 WHEN 0 THEN ${organizationId}::uuid WHEN 1 THEN gen_random_uuid() END, 'C' || n,
               10, true, '{}', 0, at, at
        FROM generate_series(${first}::int, ${last}::int) AS n,
             LATERAL (SELECT '2026-02-01'::timestamptz - n * interval '1 minute' AS at) AS moment
        RETURNING id, organization_id, code, created_at
      ), found_by AS (
        SELECT *, unnest(CASE WHEN code::text ~ '^C' AND organization_id <> ${organizationId}
                              THEN ARRAY[lower(code), 'welcome'] ELSE ARRAY[lower(code)] END) AS term
        FROM made
      ), used AS (
        INSERT INTO promo_redemptions (organization_id, case_id, promo_code_id, created_at)
        SELECT ${organizationId}::uuid, gen_random_uuid(), id, created_at FROM made
      )
      INSERT INTO promo_code_terms (organization_id, term, promo_code_id, created_at)
      SELECT organization_id, term, id, created_at FROM found_by
    `
    yield* sql`ANALYZE promo_codes, promo_code_terms, promo_redemptions`
  })

  it.effect("are read at the same cost however many there are, in every operation", () =>
    Effect.gen(function* () {
      const { check, redeem, release } = yield* PromoCodes
      const { change, list } = yield* AdminPromoCodes
      const sql = yield* SqlClient.SqlClient
      yield* seed(0, 3000)
      const [known] = (yield* list({ limit: 1, code: promoTermOf("c3"), organizationId })).data
      const { id } = known ?? assert.fail()
      const cursor = { createdAt: new Date("2026-01-31T12:00:00Z"), id }
      const codes = ["c3", "c2"].map((code) => ({ code, bundleIds: [] }))
      const caseId = CaseId.make(randomUUID())
      const operations: Readonly<Record<string, Effect.Effect<unknown, unknown, SqlClient.SqlClient>>> = {
        check: check(organizationId, "c3", undefined),
        "check of a global one": check(organizationId, "c2", undefined),
        // The unknown code is not counted inside the measured transaction, because it ends there.
        "check of what many others have": Effect.exit(check(organizationId, "welcome", undefined)),
        redeem: redeem(organizationId, caseId, codes),
        release: release(organizationId, caseId),
        change: change(id, { isActive: true }),
        list: list({ limit: 10 }),
        "list from somewhere": list({ limit: 10, cursor }),
        "list of an organization": list({ limit: 10, organizationId, cursor }),
        "list of global ones": list({ limit: 10, isGlobal: "true", cursor }),
        "list of one global": list({ limit: 10, isGlobal: "true", code: promoTermOf("c2") }),
        "list of what many have": list({ limit: 10, code: promoTermOf("welcome"), cursor }),
        "list of what many others have": list({ limit: 10, code: promoTermOf("welcome"), organizationId }),
        "list of one": list({ limit: 10, code: promoTermOf("c3"), organizationId })
      }
      const readsOfAll = Effect.forEach(Object.entries(operations), ([name, operation]) =>
        Effect.forEach(["force_custom_plan", "force_generic_plan"], (mode) =>
          readsOf(
            ["promo_codes", "promo_code_terms", "promo_redemptions"],
            Effect.andThen(sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`, operation)
          )
        ).pipe(Effect.map((reads) => [name, Math.max(...reads)] as const))
      ).pipe(Effect.map((reads) => new Map(reads)))

      const few = yield* readsOfAll
      assert.isAbove(few.get("check") ?? 0, 0)
      yield* seed(3001, 20_000)
      for (const [name, reads] of yield* readsOfAll) {
        assert.isAtMost(reads, Math.max(few.get(name) ?? 0, 20) * 1.1, name)
      }
    })
  )
})
