import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases, makeCase } from "../../../test/storedCases.ts"
import { makeActivityRepo } from "../../case/activity/ActivityRepo.ts"

layer(layerStoredCases, { excludeTestServices: true })("a page of a timeline", (it) => {
  it.effect("reads the same entries however long the activity of the case is, at any position", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { before } = yield* makeActivityRepo
      const organizationId = OrganizationId.make(randomUUID())
      const { id: caseId } = yield* makeCase(organizationId)
      const seed = Effect.fnUntraced(function* (from: number, to: number) {
        yield* sql`
          INSERT INTO case_activity (organization_id, case_id, sequence, id, type, actor_type, at, details)
          SELECT ${organizationId}, ${caseId}, n, gen_random_uuid(), 'CASE_CREATED', 'JOB', now(), '{}'
          FROM generate_series(${from}::int, ${to}::int) AS n
        `
        yield* sql`ANALYZE case_activity`
      })
      const reads = Effect.forEach([2 ** 31 - 1, 500], (sequence) =>
        readsOf(["case_activity"], before(organizationId, caseId, sequence, 11))
      )
      yield* seed(1, 1000)
      const few = yield* reads
      yield* seed(1001, 20_000)
      const many = yield* reads
      assert.isAtLeast(Math.min(...few), 11)
      for (const [index, each] of many.entries()) assert.isAtMost(each, few[index] ?? 0)
    })
  )
})
