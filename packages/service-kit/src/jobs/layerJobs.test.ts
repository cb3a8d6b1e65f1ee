import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Schema } from "effect"
import { PersistedQueue } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { layerTestCipher } from "../testing/layerTestCipher.ts"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { layerJobs } from "./layerJobs.ts"
import { layerWorker } from "./layerWorker.ts"

const TestLayer = layerJobs.pipe(Layer.provideMerge(layerTestDatabase("cases")), Layer.provide(layerTestCipher))

layer(TestLayer, { excludeTestServices: true })("jobs", (it) => {
  const queueOf = (name: string) => PersistedQueue.make({ name, schema: Schema.Struct({ number: Schema.Int }) })

  it.effect("a job is there when its transaction commits, and not when it rolls back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* queueOf("transactions")
      const failing = sql.withTransaction(Effect.andThen(queue.offer({ number: 1 }), Effect.fail("rolled back")))
      assert.strictEqual(yield* Effect.flip(failing), "rolled back")
      yield* sql.withTransaction(queue.offer({ number: 2 }))
      assert.strictEqual(yield* queue.take(({ number }) => Effect.succeed(number)), 2)
    })
  )

  it.effect("a job that fails is tried again, and done once it succeeds", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf("failures")
      yield* queue.offer({ number: 7 })
      const attempts: Array<number> = []
      const done = yield* Deferred.make<number>()
      const worker = layerWorker({
        name: "failures",
        queue,
        concurrency: 1,
        perform: ({ number }) =>
          Effect.suspend(() => {
            attempts.push(number)
            return attempts.length < 2 ? Effect.fail("not yet") : Effect.asVoid(Deferred.succeed(done, number))
          })
      })
      yield* Effect.provide(Deferred.await(done), worker)
      assert.deepStrictEqual(attempts, [7, 7])
    })
  )

  it.effect("many workers share a queue: each job is done once", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf("shared")
      const numbers = Array.from({ length: 40 }, (_, number) => number)
      yield* Effect.forEach(numbers, (number) => queue.offer({ number }), { discard: true })
      const seen: Array<number> = []
      const all = yield* Deferred.make<void>()
      const perform = ({ number }: { readonly number: number }) =>
        Effect.suspend(() => {
          seen.push(number)
          return seen.length === numbers.length ? Effect.asVoid(Deferred.succeed(all, undefined)) : Effect.void
        })
      const worker = () => Layer.fresh(layerWorker({ name: "shared", queue, concurrency: 4, perform }))
      yield* Effect.provide(Deferred.await(all), Layer.merge(worker(), worker()))
      assert.deepStrictEqual(
        seen.sort((a, b) => a - b),
        numbers
      )
    })
  )
})
