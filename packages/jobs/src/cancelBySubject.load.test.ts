import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { layerTestCipher } from "@care/phi/testing"
import { layerTestDatabase, readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Job from "./Job.ts"
import { layerIdleJobs } from "./testing/layerIdleJobs.ts"

class Letters extends Job.make<Letters>()("letter", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, thing: Schema.String }),
  retries: Job.upTo(5),
  concurrency: 1,
  cancelledWith: ({ thing }) => thing
}) {}

const TestLayer = Letters.layer.pipe(
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge(layerTestDatabase("cases")),
  Layer.provide(layerTestCipher)
)

layer(TestLayer, { excludeTestServices: true })("many jobs about something that has ended", (it) => {
  it.effect("are found at the same cost however many wait", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const seed = (count: number) => sql`
        INSERT INTO jobs (id, queue_name, organization_id, subject, version, request_id, payload, due_at)
        SELECT gen_random_uuid(), 'letter', ${organizationId}::uuid, gen_random_uuid(), 1, 'r', '', now()
        FROM generate_series(1, ${count}::int)
      `
      const organizationId = OrganizationId.make(randomUUID())
      const cancelOne = Effect.gen(function* () {
        const thing = { organizationId, thing: randomUUID() }
        yield* Effect.flatMap(Letters, ({ offer }) => offer(thing))
        return yield* readsOf(
          ["jobs"],
          Effect.flatMap(Job.makeCancelBySubject, (cancelBySubject) => cancelBySubject(organizationId, thing.thing))
        )
      })
      yield* seed(1000)
      const few = yield* cancelOne
      yield* seed(20_000)
      assert.isAtMost(yield* cancelOne, few + 3)
    })
  )
})
