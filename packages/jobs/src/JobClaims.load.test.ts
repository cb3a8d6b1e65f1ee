import { randomUUID } from "node:crypto"
import { layerTestDatabase, readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { makeJobClaims } from "./JobClaims.ts"
import { offerJobs } from "./testing/offerJobs.ts"

// What the table was like when it was last analysed.
const moments: Readonly<Record<string, (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError.SqlError>>> = {
  "all waited": () => Effect.void,
  "all were under way": (sql) =>
    sql`UPDATE jobs SET state = 'running', claim_id = gen_random_uuid(), locked_at = clock_timestamp()`,
  "the process of each had ended": (sql) => sql`UPDATE jobs SET crashes = 1`
}

layer(layerTestDatabase("cases"), { excludeTestServices: true })("taking one of many jobs", (it) => {
  for (const [moment, change] of Object.entries(moments)) {
    it.effect(`taking one costs the same however many wait, also by statistics of a moment when ${moment}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { claim, claimSuspicious, refresh, takeOver, waiting } = yield* makeJobClaims
        const [large, small] = [randomUUID(), randomUUID()]
        yield* sql`TRUNCATE jobs`
        yield* offerJobs("growth", large, "before", 200)
        yield* change(sql)
        yield* sql`ANALYZE jobs`
        yield* sql`UPDATE jobs SET state = 'completed', payload = NULL, ended_at = now(), claim_id = NULL, locked_at = NULL`
        yield* offerJobs("growth", large, "few", 10)
        const takeOne = readsOf(
          ["jobs"],
          Effect.all([
            takeOver(Duration.hours(1), []),
            refresh([randomUUID()]),
            waiting(["growth", "another"]),
            claimSuspicious("growth"),
            claim("growth", { most: 1, perOrganization: 20 })
          ])
        )
        const few = Math.max(...(yield* Effect.replicateEffect(takeOne, 10)))
        yield* offerJobs("growth", large, "large", 5000)
        yield* offerJobs("growth", small, "small", 1)
        const many = yield* takeOne
        assert.isAbove(many, 0)
        assert.isAtMost(many, few)
        assert.deepStrictEqual(
          yield* sql`SELECT request_id FROM jobs WHERE organization_id = ${small} AND state = 'running'`,
          [{ requestId: "small 1" }]
        )
      })
    )
  }
})
