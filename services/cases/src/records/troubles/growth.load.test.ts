import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases } from "../../../test/storedCases.ts"
import { makeTroublesRepo } from "./TroublesRepo.ts"

const organizationCount = 20

layer(layerStoredCases, { excludeTestServices: true })("the organizations with troubles", (it) => {
  it.effect("are found with a bounded number of reads for each, however much each of them stores", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeTroublesRepo
      const ids = Array.from({ length: organizationCount }, () => OrganizationId.make(randomUUID())).sort()
      yield* sql`
        INSERT INTO webhook_endpoints (
          organization_id, id, url, includes_test_cases, is_enabled, secret, created_at, updated_at
        ) SELECT organization_id, organization_id, '', false, true, '', now(), now()
        FROM unnest(${ids}::uuid[]) AS organization_id
      `
      // A third of the cases waits, and its orders are in error; of the others the escalations are open; half of the deliveries are given up.
      const seed = Effect.fnUntraced(function* (from: number, to: number) {
        const numbers = sql`
          FROM unnest(${ids}::uuid[]) AS organization_id CROSS JOIN generate_series(${from}::int, ${to}::int) AS n
        `
        yield* sql`
          INSERT INTO cases (
            organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, is_archived, created_at, updated_at
          )
          SELECT organization_id, gen_random_uuid(), n || '-' || organization_id, gen_random_uuid(), '',
                 CASE n % 3 WHEN 0 THEN 'OPEN' ELSE 'APPROVED' END, 'ASYNC_TEXT_EMAIL', false, false, false,
                 now() - interval '2 days' - n * interval '1 second', now() ${numbers}
        `
        yield* sql`
          INSERT INTO escalations (organization_id, id, case_id, type, title, is_completed, created_at, updated_at)
          SELECT organization_id, gen_random_uuid(), id, 'support', '', status = 'OPEN', created_at, now() FROM cases
          ON CONFLICT DO NOTHING
        `
        yield* sql`
          INSERT INTO orders (
            organization_id, id, case_id, external_id, status, items, shipping_logs, created_at, updated_at
          )
          SELECT organization_id, gen_random_uuid(), id, id, CASE status WHEN 'OPEN' THEN 'ERROR' ELSE 'DELIVERED' END,
                 '', '', created_at, now()
          FROM cases WHERE split_part(short_id, '-', 1)::int BETWEEN ${from}::int AND ${to}::int
        `
        yield* sql`
          INSERT INTO webhook_deliveries (
            organization_id, id, endpoint_id, event_id, event_type, lane, position, status, attempts, attempts_left, created_at
          )
          SELECT organization_id, gen_random_uuid(), organization_id, gen_random_uuid(), 'case.created', gen_random_uuid(), n,
                 CASE n % 2 WHEN 0 THEN 'FAILED' ELSE 'DELIVERED' END, 1, 0, now() ${numbers}
        `
        yield* sql`ANALYZE cases, escalations, orders, webhook_deliveries`
      })
      const createdBefore = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { days: 1 }))
      const list = repo.list({ after: undefined, createdBefore, limit: 10 })
      const reads = readsOf(["cases", "escalations", "orders", "webhook_deliveries", "webhook_endpoints"], list)
      yield* seed(1, 300)
      const few = yield* reads
      yield* seed(301, 3000)
      const many = yield* reads
      // Five counts of at most a hundred, each of an index and perhaps its table.
      assert.isAbove(few, organizationCount * 100)
      assert.isAtMost(many, organizationCount * 1200)
      const found = yield* list
      assert.deepStrictEqual(
        found.map(({ organizationId }) => organizationId),
        ids.slice(0, 10)
      )
      const [first] = found
      assert.deepStrictEqual(first, {
        organizationId: ids[0] ?? assert.fail(),
        deliveriesFailed: 100,
        endpointsFailing: 0,
        ordersInError: 100,
        escalationsOpen: 100,
        casesWaiting: 100,
        total: 400
      })
    })
  )
})
