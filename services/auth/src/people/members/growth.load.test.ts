import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId } from "@care/domain/ids"
import { oldest } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeMembersRepo } from "./MembersRepo.ts"

layer(layerAuditedDatabase("auth"), { excludeTestServices: true })("the list of members", (it) => {
  it.effect("reads the same however many patients and deleted members there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { page } = yield* makeMembersRepo
      const organizationId = OrganizationId.make(randomUUID())
      yield* sql`
        INSERT INTO organizations (id, name, created_at, updated_at) VALUES (${organizationId}, 'Clinic', now(), now())
      `
      const seed = Effect.fnUntraced(function* (from: number, to: number) {
        yield* sql`
          INSERT INTO users (
            organization_id, id, email, first_name, last_name, role, is_active, created_at, updated_at, deleted_at
          )
          SELECT ${organizationId}::uuid, gen_random_uuid(), n::text, '', '', CASE n % 100 WHEN 0 THEN 'SUPPORT' ELSE 'USER' END,
                 n % 200 = 0, now() - n * interval '1 second', now(), CASE n % 200 WHEN 0 THEN NULL ELSE now() END
          FROM generate_series(${from}::int, ${to}::int) AS n
        `
        yield* sql`ANALYZE users`
      })
      const readsOfLists = Effect.forEach([false, true], (isActive) =>
        Effect.forEach(["force_custom_plan", "force_generic_plan"], (mode) =>
          readsOf(
            ["users"],
            Effect.andThen(
              sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`,
              page(organizationId, isActive, oldest, 11)
            )
          )
        )
      ).pipe(Effect.map((reads) => reads.flat()))
      yield* seed(1, 4000)
      const few = yield* readsOfLists
      yield* seed(4001, 40_000)
      const many = yield* readsOfLists
      assert.isAbove(Math.max(...few), 10)
      for (const [index, reads] of many.entries()) assert.isAtMost(reads, Math.max(few[index] ?? 0, 40) * 1.1)
    })
  )
})
