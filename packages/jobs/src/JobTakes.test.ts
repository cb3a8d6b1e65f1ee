import { randomUUID } from "node:crypto"
import { layerTestCipher } from "@care/phi/testing"
import { layerTestDatabase, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Queue, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { JobTimes } from "./JobTimes.ts"
import { layerJobsWith } from "./layerJobs.ts"
import { layerWorker } from "./layerWorker.ts"
import { upTo } from "./RetryPolicy.ts"
import { quickTimes } from "./testing/layerQuickJobs.ts"
import { queueOf } from "./testing/queueOf.ts"

const jobsWith = (changes: Partial<JobTimes> = {}) =>
  Layer.fresh(layerJobsWith({ ...quickTimes, pollInterval: Duration.millis(5), ...changes })).pipe(
    Layer.provide(layerTestCipher)
  )

const kindOf = (name: string) => ({
  name,
  version: 1,
  schema: Schema.Struct({ number: Schema.Int }),
  retries: upTo(3),
  concurrency: 1
})

interface Row {
  readonly state: string
  readonly crashes: number
  readonly isLate: boolean
}

layer(layerTestDatabase("cases"), { excludeTestServices: true })("several processes", (it) => {
  const rowOf = (queue: string, key: string) =>
    SqlClient.SqlClient.use(
      (sql) => sql<Row>`
        SELECT state, crashes, locked_at < now() - interval '1 minute' AS is_late FROM jobs
        WHERE queue_name = ${queue} AND key = ${key}
      `
    ).pipe(Effect.map(([row]) => row))

  /** Adds a job that another process claimed a while ago. */
  const claimedElsewhere = (queue: string, key: string, ago: Duration.Input = "1 second") =>
    SqlClient.SqlClient.use(
      (sql) => sql`
        INSERT INTO jobs (
          id, queue_name, key, organization_id, version, payload, request_id, state, attempts, due_at, claim_id, locked_at
        )
        VALUES (
          ${randomUUID()}, ${queue}, ${key}, ${randomUUID()}, 1, '', 'r', 'running', 1, now(), ${randomUUID()},
          now() - ${Duration.toMillis(ago)} * interval '1 millisecond'
        )
      `
    )

  /** Makes the locks of a queue two hours older. */
  const silence = (queue: string) =>
    SqlClient.SqlClient.use(
      (sql) => sql`UPDATE jobs SET locked_at = locked_at - interval '2 hours' WHERE queue_name = ${queue}`
    )

  // Long enough for many polls of every queue.
  const aWhile = Effect.replicateEffect(rowOf("none", "none"), 100)

  it.effect("a new process claims nothing beside a job that may have ended another, until that is known", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM jobs`
      yield* claimedElsewhere("poisoned", "elsewhere")
      yield* Effect.gen(function* () {
        const [healthyDone, poisonedDone] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const work = Effect.fnUntraced(function* (name: string, done: Deferred.Deferred<void>) {
          const queue = yield* queueOf(kindOf(name))
          yield* queue.offer({ number: 1 })
          const perform = () => Effect.andThen(aWhile, Effect.asVoid(Deferred.succeed(done, undefined)))
          return layerWorker(queue.kind, perform)
        })
        const workers = Layer.merge(yield* work("poisoned", poisonedDone), yield* work("healthy", healthyDone))
        yield* Effect.gen(function* () {
          yield* Deferred.await(healthyDone)
          assert.isFalse(yield* Deferred.isDone(poisonedDone))
          yield* sql`UPDATE jobs SET locked_at = clock_timestamp() WHERE queue_name = 'poisoned' AND key = 'elsewhere'`
          yield* Deferred.await(poisonedDone)
        }).pipe(Effect.provide(workers))
      }).pipe(Effect.provide(jobsWith()))
    })
  )

  it.effect("a job whose process ended waits for the running jobs, and none begins beside it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM jobs`
      const ordinary = yield* queueOf(kindOf("ordinary"))
      const suspicious = yield* queueOf(kindOf("suspicious"))
      const log: Array<string> = []
      const note = (line: string) => Effect.sync(() => void log.push(line))
      const done = yield* Deferred.make<void>()
      const offerSuspicious = sql.withTransaction(
        Effect.andThen(
          suspicious.offer({ number: 1 }),
          sql`UPDATE jobs SET crashes = 1, attempts = 1 WHERE queue_name = 'suspicious'`
        )
      )
      const workers = Layer.merge(
        layerWorker(
          { ...ordinary.kind, concurrency: 2 },
          Effect.fnUntraced(function* ({ number }) {
            yield* note(`ordinary ${number} begins`)
            yield* number === 1 ? Effect.andThen(offerSuspicious, aWhile) : Deferred.succeed(done, undefined)
            yield* note(`ordinary ${number} ends`)
          })
        ),
        layerWorker(
          { ...suspicious.kind, concurrency: 2 },
          Effect.fnUntraced(function* () {
            yield* note("suspicious begins")
            yield* ordinary.offer({ number: 2 })
            yield* aWhile
            yield* note("suspicious ends")
          })
        )
      )
      yield* ordinary.offer({ number: 1 })
      yield* Effect.provide(Deferred.await(done), workers)
      assert.deepStrictEqual(log.slice(0, 5), [
        "ordinary 1 begins",
        "ordinary 1 ends",
        "suspicious begins",
        "suspicious ends",
        "ordinary 2 begins"
      ])
    }).pipe(Effect.provide(jobsWith()))
  )

  it.effect("a worker that stops while its job waits to run alone delays no other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM jobs`
      const ordinary = yield* queueOf(kindOf("ordinary"))
      const suspicious = yield* queueOf(kindOf("suspicious"))
      for (const number of [1, 2]) yield* ordinary.offer({ number })
      yield* suspicious.offer({ number: 3 })
      yield* sql`UPDATE jobs SET crashes = 1, attempts = 1 WHERE queue_name = 'suspicious'`
      yield* ordinary.take(() =>
        Effect.gen(function* () {
          const stopped = yield* Effect.forkChild(suspicious.take(() => Effect.void))
          yield* aWhile
          yield* Fiber.interrupt(stopped)
          yield* ordinary.take(() => Effect.void)
        })
      )
      yield* suspicious.take(({ number }) => Effect.sync(() => assert.strictEqual(number, 3)))
    }).pipe(Effect.provide(jobsWith()))
  )

  it.effect("a process refreshes the locks of its jobs while they run", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf(kindOf("alive"))
      yield* queue.offer({ number: 1 }, { key: "own" })
      yield* queue.take(() =>
        Effect.andThen(
          silence("alive"),
          until(rowOf("alive", "own"), (row) => row?.isLate === false)
        )
      )
      const row = yield* rowOf("alive", "own")
      assert.deepInclude(row, { state: "completed", crashes: 0 })
    }).pipe(Effect.provide(jobsWith({ lockRefreshInterval: Duration.millis(20), lockExpiration: Duration.days(1) })))
  )

  it.effect("a process does not release its own jobs when their locks have expired, but those of others", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf(kindOf("held"))
      yield* queue.offer({ number: 1 }, { key: "own" })
      yield* queue.take(() =>
        Effect.gen(function* () {
          // The process may be in the middle of a look for expired locks that it began before it took the job, and that does not
          // know the job. This look has ended when a job is taken over by it or by the next.
          yield* claimedElsewhere("held", "before", "2 hours")
          yield* until(rowOf("held", "before"), (row) => row?.crashes === 1)
          yield* claimedElsewhere("held", "elsewhere")
          yield* silence("held")
          yield* until(rowOf("held", "elsewhere"), (row) => row?.crashes === 1)
        })
      )
      assert.deepInclude(yield* rowOf("held", "own"), { state: "completed", crashes: 0 })
      assert.deepInclude(yield* rowOf("held", "elsewhere"), { state: "pending", crashes: 1 })
    }).pipe(Effect.provide(jobsWith()))
  )

  it.effect("a queue wakes up for an offer, and for the end of a job for which others of its organization waited", () =>
    Effect.gen(function* () {
      const schema = Schema.Struct({ organizationId: Schema.String, number: Schema.Int })
      const queue = yield* queueOf({ ...kindOf("offered"), schema })
      const started = yield* Queue.unbounded<number>()
      let [running, maxRunning] = [0, 0]
      const perform = Effect.fnUntraced(function* ({ number }: typeof schema.Type) {
        if (number > 0) running += 1
        maxRunning = Math.max(maxRunning, running)
        yield* Queue.offer(started, number)
        yield* aWhile
        if (number > 0) running -= 1
      })
      const worker = layerWorker({ ...queue.kind, concurrency: 6, perOrganization: 2 }, perform)
      yield* Effect.gen(function* () {
        yield* aWhile
        const organizationId = randomUUID()
        const offers = [1, 2, 3, 4, 5, 6].map((number) => [{ organizationId, number }] as const)
        yield* queue.offerAll([...offers, [{ organizationId: randomUUID(), number: 0 }]])
        // The job of the other organization does not wait for the third and the others.
        const order = yield* Queue.takeN(started, 7)
        assert.isBelow(order.indexOf(0), 3)
        assert.strictEqual(maxRunning, 2)
      }).pipe(Effect.provide(worker))
    }).pipe(Effect.provide(jobsWith({ pollInterval: Duration.hours(1) })))
  )
})
