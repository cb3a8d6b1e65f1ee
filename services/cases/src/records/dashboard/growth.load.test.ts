import { randomUUID } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases } from "../../../test/storedCases.ts"
import { makeDashboardRepo } from "./DashboardRepo.ts"

layer(layerStoredCases, { excludeTestServices: true })("the dashboard", (it) => {
  it.effect(
    "reads at most a bounded number of entries, however many cases, escalations, orders and deliveries there are",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const repo = yield* makeDashboardRepo
        const organizationId = OrganizationId.make(randomUUID())
        const [endpointId, provider] = [randomUUID(), UserId.make(randomUUID())]
        const common = sql`${organizationId}::uuid, gen_random_uuid()`
        yield* sql`
        INSERT INTO webhook_endpoints (
          organization_id, id, url, includes_test_cases, is_enabled, secret, created_at, updated_at
        ) VALUES (${organizationId}, ${endpointId}, '', false, true, '', now(), now())
      `
        // A sixth of the cases waits, a sixth is assigned to a provider or in progress; half of the escalations are open; a fiftieth of the orders is in error, and
        // of the deliveries given up.
        const seed = Effect.fnUntraced(function* (from: number, to: number) {
          const numbers = sql`FROM generate_series(${from}::int, ${to}::int) AS n`
          yield* sql`
          INSERT INTO cases (
            organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, is_archived, assigned_to, created_at, updated_at
          )
          SELECT ${common}, n, gen_random_uuid(), '',
                 CASE n % 3 WHEN 0 THEN 'OPEN' WHEN 1 THEN 'IN_PROGRESS' ELSE CASE n % 5 WHEN 0 THEN 'ASSIGNED' ELSE 'APPROVED' END END,
                 'ASYNC_TEXT_EMAIL', false, false, n % 2 = 0, CASE n % 3 WHEN 0 THEN NULL ELSE ${provider}::uuid END, now() - n * interval '1 second', now() ${numbers}
        `
          yield* sql`
          INSERT INTO escalations (organization_id, id, case_id, type, title, is_completed, created_at, updated_at)
          SELECT organization_id, gen_random_uuid(), id, 'support', '', is_archived, created_at, now() FROM cases
          ON CONFLICT DO NOTHING
        `
          yield* sql`
          INSERT INTO orders (
            organization_id, id, case_id, external_id, status, items, shipping_logs, created_at, updated_at
          )
          SELECT organization_id, gen_random_uuid(), id, id, CASE short_id::int % 50 WHEN 0 THEN 'ERROR' ELSE 'DELIVERED' END,
                 '', '', created_at, now()
          FROM cases WHERE short_id::int BETWEEN ${from}::int AND ${to}::int
        `
          yield* sql`
          INSERT INTO webhook_deliveries (
            organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left, created_at
          )
          SELECT ${common}, ${endpointId}::uuid, gen_random_uuid(), 'case.created', gen_random_uuid(), n,
                 CASE n % 50 WHEN 0 THEN 'FAILED' ELSE 'DELIVERED' END, 1, 0, now() ${numbers}
        `
          yield* sql`ANALYZE cases, escalations, orders, webhook_deliveries`
        })
        const readsFor = (whose: UserId | undefined) =>
          readsOf(
            ["cases", "escalations", "orders", "webhook_deliveries", "webhook_endpoints", "people"],
            repo.counts(organizationId, whose, new Date())
          )
        const reads = Effect.forEach([undefined, provider], readsFor)
        yield* seed(1, 10_000)
        const few = yield* reads
        yield* seed(10_001, 60_000)
        const many = yield* reads
        // Fourteen counts of at most a thousand, each of an index and perhaps its table, and for a provider of two people and a case as well.
        for (const [index, most] of [25_000, 50_000].entries()) {
          assert.isAbove(few[index] ?? 0, 1000)
          assert.isAtMost(many[index] ?? Number.NaN, most)
        }
        assert.strictEqual((yield* repo.counts(organizationId, provider, new Date())).inProgress, 1000)
        const counts = yield* repo.counts(organizationId, undefined, new Date())
        assert.deepInclude(counts, {
          inProgress: 1000,
          escalationsOpen: 1000,
          ordersInError: 1000,
          deliveriesFailed: 1000
        })
      })
  )
})
