import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { layerTestCipher } from "@care/phi/testing"
import { layerTestDatabase, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Job from "./Job.ts"
import { makeEndMentions } from "./makeEndMentions.ts"
import { layerQuickJobs } from "./testing/layerQuickJobs.ts"

const TestLayer = layerQuickJobs.pipe(
  Layer.provideMerge(layerTestDatabase("cases")),
  Layer.provideMerge(layerTestCipher)
)

const schema = Schema.Struct({ organizationId: OrganizationId, to: Schema.String })

class Letters extends Job.make<Letters>()("letter", { version: 1, schema, retries: Job.upTo(5), concurrency: 1 }) {}

const Queues = Letters.layer.pipe(Layer.provideMerge(TestLayer))

layer(Queues, { excludeTestServices: true })("jobs that mention a patient", (it) => {
  const newOrganization = () => OrganizationId.make(randomUUID())
  const end = (organizationId: OrganizationId, text: string) =>
    Effect.flatMap(makeEndMentions, (endMentions) => endMentions(organizationId, ["letter"], [text]))
  const offer = (organizationId: OrganizationId, receivers: ReadonlyArray<string>) =>
    Effect.flatMap(Letters, ({ offerAll }) => offerAll(receivers.map((to) => [{ organizationId, to }])))
  const statesOf = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ state: string; jobs: number; payloads: number }>`
      SELECT state, count(*)::integer AS jobs, count(payload)::integer AS payloads FROM jobs
      WHERE organization_id = ${organizationId} GROUP BY state
    `
    return Object.fromEntries(rows.map(({ jobs, payloads, state }) => [state, [jobs, payloads]]))
  })

  it.effect("are cancelled when they are pending or dead-lettered, and no others are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [organizationId, foreign] = [newOrganization(), newOrganization()]
      for (const id of [organizationId, foreign]) yield* offer(id, ["maria@example.com"])
      yield* sql`UPDATE jobs SET state = 'failed', ended_at = now() WHERE organization_id = ${organizationId}`
      yield* offer(organizationId, [...Array.from({ length: 1100 }, () => "jane@example.com"), "maria@example.com"])
      yield* end(organizationId, "maria@example.com")
      assert.deepStrictEqual(yield* statesOf(organizationId), { cancelled: [2, 0], pending: [1100, 1100] })
      assert.deepStrictEqual(yield* statesOf(foreign), { pending: [1, 1] })
      yield* sql`DELETE FROM jobs`
    })
  )

  it.effect("are cancelled while they run: their payload is deleted, and a failure is not tried again", () =>
    Effect.gen(function* () {
      const organizationId = newOrganization()
      const [started, goOn, isOver] = yield* Effect.all([
        Deferred.make<void>(),
        Deferred.make<void>(),
        Deferred.make<void>()
      ])
      const tried: Array<string> = []
      const worker = Letters.worker(
        Effect.succeed(({ to }) =>
          Effect.gen(function* () {
            tried.push(to)
            if (to === "last") return yield* Deferred.succeed(isOver, undefined)
            yield* Deferred.succeed(started, undefined)
            yield* Deferred.await(goOn)
            return yield* Effect.fail("away")
          })
        )
      )
      yield* Effect.gen(function* () {
        yield* offer(organizationId, ["maria"])
        yield* Deferred.await(started)
        assert.deepStrictEqual(yield* statesOf(organizationId), { running: [1, 1] })
        yield* end(organizationId, "maria")
        assert.deepStrictEqual(yield* statesOf(organizationId), { cancelled: [1, 0] })
        yield* Deferred.succeed(goOn, undefined)
        // There is one slot, so that the next job runs after the first.
        yield* offer(organizationId, ["last"])
        yield* Deferred.await(isOver)
        yield* until(statesOf(organizationId), ({ completed }) => completed !== undefined)
      }).pipe(Effect.provide(worker))
      assert.deepStrictEqual(yield* statesOf(organizationId), { cancelled: [1, 0], completed: [1, 0] })
      assert.deepStrictEqual(tried, ["maria", "last"])
    })
  )
})
