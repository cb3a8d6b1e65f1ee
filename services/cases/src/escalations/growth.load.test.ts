import { randomUUID } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"
import { newest, oldest } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases, makeCase } from "../../test/storedCases.ts"
import { makeEscalationsRepo } from "./EscalationsRepo.ts"

layer(layerStoredCases, { excludeTestServices: true })("the list of escalations", (it) => {
  it.effect(
    "reads the same however many escalations there are, open and completed, of all, of a member and of nobody",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const repo = yield* makeEscalationsRepo
        const organizationId = OrganizationId.make(randomUUID())
        const [assignee, other] = [UserId.make(randomUUID()), UserId.make(randomUUID())]
        const { id: caseId } = yield* makeCase(organizationId)
        const seed = Effect.fnUntraced(function* (from: number, to: number) {
          yield* sql`
          INSERT INTO escalations (
            organization_id, id, case_id, type, title, assigned_to_user_id, is_completed, created_at, updated_at
          )
          SELECT ${organizationId}::uuid, gen_random_uuid(), ${caseId}::uuid, 'support', n::text,
                 CASE n % 50 WHEN 0 THEN ${assignee}::uuid WHEN 1 THEN NULL ELSE ${other}::uuid END, n % 3 = 0, now() - n * interval '1 second', now()
          FROM generate_series(${from}::int, ${to}::int) AS n
        `
          yield* sql`ANALYZE escalations`
        })
        const readsOfLists = Effect.forEach([false, true], (isCompleted) =>
          Effect.forEach(
            [undefined, assignee, UserId.make(randomUUID()), "nobody" as const, "seen" as const],
            (whose) => {
              const [assignedTo, isUnassigned, seenBy] =
                whose === "nobody" || whose === "seen"
                  ? [undefined, whose === "nobody", whose === "seen" ? assignee : undefined]
                  : [whose, false, undefined]
              const after = isCompleted ? newest : oldest
              return readsOf(
                ["escalations", "cases", "people"],
                repo.list({ organizationId, isCompleted, assignedTo, isUnassigned, seenBy, after }, 11)
              )
            }
          )
        ).pipe(Effect.map((reads) => reads.flat()))
        // More of each than are examined for a provider.
        yield* seed(1, 4000)
        const few = yield* readsOfLists
        yield* seed(4001, 20_000)
        const many = yield* readsOfLists
        assert.isAbove(Math.max(...few), 10)
        for (const [index, reads] of many.entries()) assert.isAtMost(reads, Math.max(few[index] ?? 0, 40) * 1.1)
      })
  )
})
