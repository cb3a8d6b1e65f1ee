import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { layerTestCipher } from "@care/phi/testing"
import { layerTestDatabase, readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Job from "./Job.ts"
import { makeEndMentions } from "./makeEndMentions.ts"
import { layerIdleJobs } from "./testing/layerIdleJobs.ts"

class Letters extends Job.make<Letters>()("letter", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, to: Schema.String }),
  retries: Job.upTo(5),
  concurrency: 1
}) {}

const TestLayer = Letters.layer.pipe(
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge(layerTestDatabase("cases")),
  Layer.provideMerge(layerTestCipher)
)

layer(TestLayer, { excludeTestServices: true })("the jobs that mention somebody, among many", (it) => {
  it.effect(
    "end at the same cost however many of others wait and were dead-lettered, and each of the own is read once",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const endMentions = yield* makeEndMentions
        const letters = yield* Letters
        const organizationId = OrganizationId.make(randomUUID())
        const seed = (owner: OrganizationId | null, count: number) => sql`
        INSERT INTO jobs (id, queue_name, organization_id, version, request_id, payload, state, due_at, ended_at)
        SELECT gen_random_uuid(), 'letter', coalesce(${owner}::uuid, gen_random_uuid()), 1, 'r', '',
               CASE n % 2 WHEN 0 THEN 'pending' ELSE 'failed' END, now(), CASE n % 2 WHEN 1 THEN now() END
        FROM generate_series(1, ${count}::int) n
      `
        const endOne = Effect.gen(function* () {
          yield* letters.offer({ organizationId, to: "maria" })
          const reads = yield* readsOf(["jobs"], endMentions(organizationId, ["letter"], ["maria"]))
          assert.lengthOf(yield* sql`DELETE FROM jobs WHERE state = 'cancelled' RETURNING id`, 1)
          return reads
        })
        yield* seed(null, 1000)
        const few = yield* endOne
        yield* seed(null, 20_000)
        assert.isAtMost(yield* endOne, few + 3)
        yield* sql`ANALYZE jobs`
        assert.isAtMost(yield* endOne, few + 3)
        yield* seed(organizationId, 3000)
        assert.isAtMost(yield* endOne, few + 3100)
      })
  )
})
