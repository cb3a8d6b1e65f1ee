import { layerTestDatabase, readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeListedJobsRepo } from "./ListedJobsRepo.ts"

layer(layerTestDatabase("cases"), { excludeTestServices: true })(
  "a hundred thousand jobs that wait, and more",
  (it) => {
    it.effect("are counted up to there, with the age of the oldest, at the same cost however many there are", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { counts } = yield* makeListedJobsRepo
        const offer = (queue: string, count: number, age: string) => sql`
        INSERT INTO jobs (id, queue_name, organization_id, version, request_id, payload, due_at, created_at)
        SELECT gen_random_uuid(), ${queue}, gen_random_uuid(), 1, 'r', '', now(), now() - ${age}::text::interval
        FROM generate_series(1, ${count}::int)
      `
        const offerMany = (times: number) =>
          Effect.replicateEffect(offer("many", 25_000, "1 hour"), times, { discard: true })
        const measured = Effect.map(counts, (rows) =>
          rows.map(({ count, oldestSeconds, queue, state }) => [queue, state, count, Math.floor(oldestSeconds / 3600)])
        )
        const few = ["few", "pending", 3, 2]

        yield* offer("few", 3, "2 hours")
        yield* offerMany(4)
        assert.sameDeepMembers(yield* measured, [few, ["many", "pending", 100_000, 1]])
        const atMost = (yield* readsOf(["jobs"], measured)) + 10
        assert.isAbove(atMost, 100_000)
        yield* offerMany(2)
        yield* offer("many", 1, "1 day")
        assert.isAtMost(yield* readsOf(["jobs"], measured), atMost)
        yield* sql`ANALYZE jobs`
        assert.isAtMost(yield* readsOf(["jobs"], measured), atMost)
        assert.sameDeepMembers(yield* measured, [few, ["many", "pending", 100_000, 24]])
      })
    )
  }
)
