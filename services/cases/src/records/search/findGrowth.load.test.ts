import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId } from "@care/domain/ids"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeSearchRepo } from "./SearchRepo.ts"
import { searchTerms } from "./searchTerms.ts"

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("finding cases by anything", (it) => {
  it.effect("reads the same however many patients, cases and orders there are, also for a name that all have", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { matching } = yield* makeSearchRepo
      const organizationId = OrganizationId.make(randomUUID())
      const seed = Effect.fnUntraced(function* (from: number, to: number) {
        yield* sql`
          INSERT INTO cases (
            organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at
          )
          SELECT ${organizationId}::uuid, gen_random_uuid(), 'U' || lpad(n::text, 7, '0'), gen_random_uuid(), '', 'OPEN',
                 'ASYNC_TEXT_EMAIL', false, false, now(), now()
          FROM generate_series(${from}::int, ${to}::int) AS n
        `
        yield* sql`
          INSERT INTO people (
            organization_id, id, version, email, first_name, last_name, role, phone_number, is_active, state, licensed_states,
            created_at, updated_at
          )
          SELECT organization_id, user_id, 1, short_id || '@example.com', 'Maria', short_id, 'USER', '+1' || short_id, true, '',
                 '{}', now(), now()
          FROM cases ON CONFLICT DO NOTHING
        `
        yield* sql`
          INSERT INTO orders (
            organization_id, id, case_id, external_id, pharmacy_order_id, status, items, shipping_logs, created_at, updated_at
          )
          SELECT organization_id, id, id, id, 'order ' || short_id, 'SHIPPED', '', '', now(), now() FROM cases
          ON CONFLICT DO NOTHING
        `
        yield* sql`ANALYZE cases, people, orders`
      })
      const texts = [
        randomUUID(),
        "maria",
        "maria u000",
        "U0000042@example.com",
        "order U0000042",
        "+14155552671",
        "7ZK2M9QA"
      ]
      const reads = Effect.forEach(texts, (text) =>
        readsOf(["cases", "people", "orders", "case_payments"], matching(organizationId, searchTerms(text), 20))
      )
      yield* seed(1, 2000)
      const few = yield* reads
      yield* seed(2001, 20_000)
      const many = yield* reads
      assert.isAtLeast(Math.max(...few), 40)
      for (const [index, each] of many.entries()) {
        assert.isAtMost(each, Math.max(few[index] ?? 0, 80) * 1.1, texts[index])
      }
    })
  )
})
