import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { removeOldRows } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { oldViewers } from "./oldViewers.ts"
import { makeViewersRepo } from "./ViewersRepo.ts"

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("viewers of cases", (it) => {
  const organizationId = OrganizationId.make(randomUUID())
  const [caseId, viewerId] = [CaseId.make(randomUUID()), UserId.make(randomUUID())]

  it.effect("are removed a day after they were seen", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const see = (hours: number) => sql`
        INSERT INTO case_viewers (organization_id, case_id, viewer_id, since, seen_at)
        VALUES (${organizationId}, ${randomUUID()}, ${viewerId}, now(), now() - ${hours}::int * interval '1 hour')
      `
      for (const hours of [0, 23, 25, 100]) yield* see(hours)
      yield* removeOldRows([oldViewers])
      assert.lengthOf(yield* sql`SELECT FROM case_viewers`, 2)
    })
  )

  it.effect("are found by reading those of the case alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeViewersRepo
      const seed = (count: number) => sql`
        INSERT INTO case_viewers (organization_id, case_id, viewer_id, since, seen_at)
        SELECT ${organizationId}::uuid, gen_random_uuid(), ${viewerId}::uuid, now(), now() FROM generate_series(1, ${count}::int)
      `
      const now = new Date()
      const gone = new Date(now.getTime() - 30_000)
      const look = readsOf(
        ["case_viewers"],
        Effect.andThen(
          repo.see(organizationId, caseId, viewerId, now, gone),
          repo.others(organizationId, caseId, viewerId, gone)
        )
      )
      for (const count of [1000, 10_000]) {
        yield* seed(count)
        yield* sql`ANALYZE case_viewers`
        assert.isAtMost(yield* look, 10)
      }
    })
  )
})
