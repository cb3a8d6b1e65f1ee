import { layerTestCipher } from "@care/phi/testing"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerJobs } from "./layerJobs.ts"
import { layerScheduled } from "./layerScheduled.ts"

const TestLayer = layerJobs.pipe(Layer.provideMerge(layerTestDatabase("cases")), Layer.provide(layerTestCipher))

layer(TestLayer, { excludeTestServices: true })("scheduled work", (it) => {
  it.effect("is done once a period, however many instances there are, and again in the next period", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const periods: Array<number> = []
      const isDone = yield* Deferred.make<void>()
      // Long enough for every instance to offer each period, short enough to see a few of them.
      const every = 250
      const perform = Effect.gen(function* () {
        periods.push(Math.floor((yield* Clock.currentTimeMillis) / every))
        if (periods.length === 3) yield* Deferred.succeed(isDone, undefined)
      })
      const instance = () => Layer.fresh(layerScheduled({ name: "sweep", every, perform }))
      yield* Effect.provide(Deferred.await(isDone), Layer.mergeAll(instance(), instance(), instance()))
      const jobs = yield* sql<{ id: string }>`SELECT key AS id FROM jobs WHERE queue_name = 'sweep'`
      assert.strictEqual(new Set(jobs.map(({ id }) => id)).size, jobs.length)
      assert.isAtMost(periods.length, jobs.length)
    })
  )

  it.effect("is offered again after a whole period, so that not everything works when a period begins", () =>
    Effect.gen(function* () {
      const real = yield* Clock.Clock
      const every = 251
      const slept: Array<number> = []
      const clock: Clock.Clock = Object.assign(Object.create(real), {
        sleep: (duration: Duration.Duration) =>
          Effect.andThen(
            Effect.sync(() => slept.push(Duration.toMillis(duration))),
            real.sleep(duration)
          )
      })
      const isDone = yield* Deferred.make<void>()
      const perform = Effect.suspend(() =>
        slept.filter((millis) => millis === every).length < 2 ? Effect.void : Deferred.succeed(isDone, undefined)
      )
      yield* Effect.provide(Deferred.await(isDone), layerScheduled({ name: "work", every, perform })).pipe(
        Effect.provideService(Clock.Clock, clock)
      )
    })
  )
})
