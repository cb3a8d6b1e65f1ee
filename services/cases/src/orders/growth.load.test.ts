import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { oldest } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases, makeCase } from "../../test/storedCases.ts"
import { makeOrdersInErrorRepo } from "./OrdersInErrorRepo.ts"

layer(layerStoredCases, { excludeTestServices: true })("the list of orders in error", (it) => {
  it.effect("reads the same however many orders there are, in error and others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeOrdersInErrorRepo
      const organizationId = OrganizationId.make(randomUUID())
      const { id: caseId } = yield* makeCase(organizationId)
      const seed = Effect.fnUntraced(function* (from: number, to: number) {
        yield* sql`
          INSERT INTO orders (organization_id, id, case_id, external_id, status, items, shipping_logs, created_at, updated_at)
          SELECT ${organizationId}::uuid, gen_random_uuid(), ${caseId}::uuid, gen_random_uuid(),
                 CASE n % 20 WHEN 0 THEN 'ERROR' ELSE 'DELIVERED' END, '', '', now() - n * interval '1 second', now()
          FROM generate_series(${from}::int, ${to}::int) AS n
        `
        yield* sql`ANALYZE orders`
      })
      const middle = { ...oldest, createdAt: new Date(Date.now() - 1_000_000) }
      const readsOfLists = Effect.forEach([oldest, middle], (after) =>
        readsOf(["orders", "cases"], repo.list(organizationId, after, 11))
      )
      yield* seed(1, 2000)
      const few = yield* readsOfLists
      yield* seed(2001, 20_000)
      const many = yield* readsOfLists
      assert.isAbove(Math.min(...few), 10)
      for (const [index, reads] of many.entries()) assert.isAtMost(reads, Math.max(few[index] ?? 0, 40) * 1.1)
    })
  )
})
