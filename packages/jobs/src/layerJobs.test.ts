import { layerTestCipher } from "@care/phi/testing"
import { layerTestDatabase, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Queue, Schema } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { GivenUp } from "./jobOutcomes.ts"
import { makeListedJobsRepo } from "./ListedJobsRepo.ts"
import { layerWorker } from "./layerWorker.ts"
import { forThreeDays, upTo } from "./RetryPolicy.ts"
import { layerQuickJobs } from "./testing/layerQuickJobs.ts"
import { queueOf } from "./testing/queueOf.ts"

const lines: Array<string> = []
const layerLines = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])

const TestLayer = layerQuickJobs.pipe(
  Layer.provideMerge(layerTestDatabase("cases")),
  Layer.provide(layerTestCipher),
  Layer.provideMerge(layerLines)
)

interface Row {
  readonly id: string
  readonly key: string | null
  readonly state: string
  readonly attempts: number
  readonly payload: Uint8Array | null
  readonly lastFailure: string | null
}

layer(TestLayer, { excludeTestServices: true })("jobs", (it) => {
  const Job = Schema.Struct({ number: Schema.Int, secret: Schema.optional(Schema.String) })
  const kindOf = (name: string) => ({ name, version: 1, schema: Job, retries: upTo(3), concurrency: 1 })

  const numberOf = ({ number }: typeof Job.Type) => Effect.succeed(number)

  const rowsOf = (queue: string) =>
    SqlClient.SqlClient.use(
      (sql) => sql<Row>`
        SELECT id, key, state, attempts, payload, last_failure FROM jobs WHERE queue_name = ${queue} ORDER BY created_at, due_at
      `
    )
  const rowOf = (queue: string) => Effect.map(rowsOf(queue), ([row]) => row)
  const untilState = (queue: string, state: string) => until(rowOf(queue), (row) => row?.state === state)

  const linesOf = (queue: string) => lines.filter((line) => line.includes(`"${queue}"`))
  const deadLetter = (queue: string, reason: string) =>
    Effect.map(
      PrometheusMetrics.format(),
      (text) =>
        /\} (\d+)/.exec(text.split("\n").find((line) => line.includes(queue) && line.includes(reason)) ?? "")?.[1]
    )

  it.effect("a job is there when its transaction commits, and not when it rolls back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* queueOf(kindOf("transactions"))
      const failing = sql.withTransaction(Effect.andThen(queue.offer({ number: 1 }), Effect.fail("rolled back")))
      assert.strictEqual(yield* Effect.flip(failing), "rolled back")
      yield* sql.withTransaction(queue.offer({ number: 2 }))
      assert.strictEqual(yield* queue.take(numberOf), 2)
    })
  )

  it.effect("the time from when a job is due to its start is recorded by queue", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* queueOf(kindOf("late"))
      const offer = Effect.andThen(
        queue.offer({ number: 1 }),
        sql`UPDATE jobs SET due_at = now() - interval '40 seconds' WHERE queue_name = 'late'`
      )
      yield* sql.withTransaction(offer)
      yield* queue.take(numberOf)
      const text = yield* PrometheusMetrics.format()
      assert.include(text, 'jobs_start_delay_seconds_bucket{mode="live",queue="late",le="30"} 0')
      assert.include(text, 'jobs_start_delay_seconds_bucket{mode="live",queue="late",le="60"} 1')
    })
  )

  it.effect("a queue ignores a key that it knows, also after the job is done", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf(kindOf("ids"))
      const other = yield* queueOf(kindOf("other ids"))
      yield* queue.offer({ number: 1 }, { key: "one" })
      yield* queue.offer({ number: 2 }, { key: "one" })
      assert.strictEqual(yield* queue.take(numberOf), 1)
      yield* queue.offer({ number: 3 }, { key: "one" })
      yield* queue.offer({ number: 4 }, { key: "two" })
      yield* other.offer({ number: 5 }, { key: "one" })
      assert.strictEqual(yield* queue.take(numberOf), 4)
      assert.strictEqual(yield* other.take(numberOf), 5)
    })
  )

  it.effect("jobs that are offered together are stored in one statement, each with its options, and a key once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* queueOf(kindOf("together"))
      yield* queue.offer({ number: 1 }, { key: "one" })
      yield* queue.offerAll([
        [{ number: 2 }, { key: "one" }],
        [{ number: 3, secret: "a private matter" }, { key: "two" }],
        [{ number: 4 }, { key: "two" }],
        [{ number: 5 }, { delay: "1 hour" }],
        [{ number: 6 }]
      ])
      const stored = yield* sql`
        SELECT key, due_at > now() + interval '30 minutes' AS waits, count(*) OVER (PARTITION BY xmin::text)::int AS together
        FROM jobs WHERE queue_name = 'together' ORDER BY due_at
      `
      assert.deepStrictEqual(stored, [
        { key: "one", waits: false, together: 1 },
        { key: "two", waits: false, together: 3 },
        { key: null, waits: false, together: 3 },
        { key: null, waits: true, together: 3 }
      ])
      const payloads = yield* Effect.replicateEffect(queue.take(Effect.succeed), 3)
      assert.deepStrictEqual(payloads, [{ number: 1 }, { number: 3, secret: "a private matter" }, { number: 6 }])
    })
  )

  it.effect("jobs that end while a statement completes others share the next, each under its own claim", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const kind = { ...kindOf("ends"), concurrency: 20 }
      const queue = yield* queueOf(kind)
      yield* queue.offerAll(Array.from({ length: 20 }, (_, number) => [{ number }]))
      const started = yield* Queue.unbounded<number>()
      const open = yield* Deferred.make<void>()
      yield* Effect.forkScoped(
        Layer.launch(
          layerWorker(kind, ({ number }) => Effect.andThen(Queue.offer(started, number), Deferred.await(open)))
        )
      )
      yield* Effect.replicateEffect(Queue.take(started), 20)
      // A job under another claim is not completed.
      yield* sql`
        UPDATE jobs SET claim_id = gen_random_uuid()
        WHERE id = (SELECT id FROM jobs WHERE queue_name = 'ends' ORDER BY id LIMIT 1)
      `
      yield* Deferred.succeed(open, undefined)
      const ended = sql<{ jobs: number; statements: number }>`
        SELECT count(*)::int AS jobs, count(DISTINCT xmin::text)::int AS statements FROM jobs
        WHERE queue_name = 'ends' AND state = 'completed'
      `
      const [row] = yield* until(ended, ([{ jobs } = { jobs: 0 }]) => jobs === 19)
      assert.isBelow(row?.statements ?? 19, 10)
    })
  )

  it.effect("a job that fails is tried again, and done once it succeeds", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf(kindOf("failures"))
      yield* queue.offer({ number: 7 })
      const attempts: Array<number> = []
      const done = yield* Deferred.make<number>()
      const worker = layerWorker(queue.kind, ({ number }) =>
        Effect.suspend(() => {
          attempts.push(number)
          return attempts.length < 2 ? Effect.fail("not yet") : Effect.asVoid(Deferred.succeed(done, number))
        })
      )
      yield* Effect.provide(Deferred.await(done), worker)
      assert.deepStrictEqual(attempts, [7, 7])
    })
  )

  it.effect("a job that fails with `GivenUp` is dead-lettered, and each attempt knows whether it is the last", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf(kindOf("given up"))
      yield* queue.offer({ number: 1 })
      yield* queue.offer({ number: 2 })
      const tries: Array<readonly [number, boolean]> = []
      const worker = layerWorker(queue.kind, ({ number }, _id, { isLast }) => {
        tries.push([number, isLast])
        return Effect.fail(number === 1 ? new GivenUp({ reason: "never" }) : "not yet")
      })
      const ended = Effect.repeat(rowsOf("given up"), {
        until: (rows) => rows.every(({ state }) => state === "failed")
      })
      const rows = yield* Effect.provide(ended, worker)
      assert.deepStrictEqual(
        rows.map(({ attempts }) => attempts),
        [1, 3]
      )
      assert.include(rows[0]?.lastFailure, "never")
      assert.sameDeepMembers(tries, [
        [1, false],
        [2, false],
        [2, false],
        [2, true]
      ])
    })
  )

  it.effect("a worker that stops releases all its jobs", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf({ ...kindOf("stopping"), concurrency: 3 })
      for (const number of [1, 2, 3, 4]) yield* queue.offer({ number })
      const started = yield* Queue.unbounded<number>()
      const worker = layerWorker(queue.kind, ({ number }) => Effect.andThen(Queue.offer(started, number), Effect.never))
      yield* Effect.provide(Queue.takeN(started, 3), worker)
      const rows = yield* rowsOf("stopping")
      assert.deepStrictEqual(
        rows.map(({ attempts, state }) => [state, attempts]),
        Array.from({ length: 4 }, () => ["pending", 0])
      )
    })
  )

  it.effect("work that interrupts itself has failed, and its attempt counts", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf(kindOf("self interrupted"))
      yield* queue.offer({ number: 1 })
      const worker = layerWorker(queue.kind, () => Effect.interrupt)
      const row = yield* Effect.provide(untilState("self interrupted", "failed"), worker)
      assert.strictEqual(row?.attempts, 3)
    })
  )

  it.effect("a worker that stops while it waits leaves the queue to others", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf(kindOf("idle"))
      const waiting = yield* Effect.forEach([1, 2, 3], () =>
        queue.take(() => Effect.void).pipe(Effect.forkChild({ startImmediately: true }))
      )
      yield* Fiber.interruptAll(waiting)
      yield* queue.offer({ number: 9 })
      assert.strictEqual(yield* queue.take(numberOf), 9)
    })
  )

  it.effect("a job that fails too often is dead-lettered: a log line, a metric and a row, without its payload", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf(kindOf("hopeless"))
      yield* queue.offer({ number: 1, secret: "a private matter" })
      const worker = layerWorker(queue.kind, () => Effect.fail(new Error("refused\u0000")))
      const row = yield* Effect.provide(untilState("hopeless", "failed"), worker)
      assert.strictEqual(row?.attempts, 3)
      assert.include(row?.lastFailure ?? "", "refused")
      const errors = linesOf("hopeless").filter((line) => line.includes('"ERROR"'))
      assert.strictEqual(errors.length, 1)
      assert.include(errors[0], row?.id)
      assert.notInclude(lines.join("\n"), "private matter")
      assert.strictEqual(yield* deadLetter("hopeless", "failed"), "1")
    })
  )

  it.effect("a job `forThreeDays` is dead-lettered after three days of failures: a log line, a metric and a row", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* queueOf({ ...kindOf("lasting"), retries: forThreeDays })
      yield* queue.offer({ number: 1, secret: "a private matter" })
      const failOnce = Effect.gen(function* () {
        yield* sql`UPDATE jobs SET due_at = now() WHERE queue_name = 'lasting'`
        yield* Effect.exit(queue.take(() => Effect.fail(new Error("cases is away"))))
        return yield* rowOf("lasting")
      })
      const failedFor = (time: string) =>
        sql`UPDATE jobs SET failing_since = now() - ${time}::interval WHERE queue_name = 'lasting'`

      for (let times = 0; times < 60; times += 1) assert.strictEqual((yield* failOnce)?.state, "pending")
      const [wait] = yield* sql<{ seconds: number }>`
        SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM jobs WHERE queue_name = 'lasting'
      `
      assert.isAbove(wait?.seconds ?? 0, 1795)
      assert.isAtMost(wait?.seconds ?? Number.NaN, 3600)
      yield* failedFor("71 hours 59 minutes")
      assert.strictEqual((yield* failOnce)?.state, "pending")
      assert.isUndefined(yield* deadLetter("lasting", "failed"))
      yield* failedFor("72 hours")
      const over = yield* failOnce
      assert.strictEqual(over?.state, "failed")
      assert.strictEqual(yield* deadLetter("lasting", "failed"), "1")
      const errors = linesOf("lasting").filter((line) => line.includes('"ERROR"'))
      assert.strictEqual(errors.length, 1)
      assert.include(errors[0], over?.id)

      const listed = yield* makeListedJobsRepo
      yield* listed.retry(over?.id ?? "")
      assert.strictEqual((yield* failOnce)?.state, "pending")
    })
  )

  it.effect("a stored failure quotes no value", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const [failing, how] of [
        [sql`SELECT ${"a private matter"}::text::int`, "SQLSTATE 22P02"],
        [Effect.sync(() => JSON.parse("a private matter")), "SyntaxError"]
      ] as const) {
        const queue = yield* queueOf(kindOf(how))
        yield* queue.offer({ number: 1 })
        yield* Effect.exit(queue.take(() => failing))
        const { lastFailure } = (yield* rowOf(how)) ?? assert.fail()
        assert.include(lastFailure ?? "", how)
        assert.notInclude(lastFailure ?? "", "private")
      }
    })
  )

  it.effect("a payload is sealed in the database, and deleted when the job is done", () =>
    Effect.gen(function* () {
      const queue = yield* queueOf(kindOf("sealed"))
      yield* queue.offer({ number: 1, secret: "a private matter" })
      const before = yield* rowOf("sealed")
      assert.isAbove(before?.payload?.length ?? 0, "a private matter".length)
      assert.notInclude(Buffer.from(before?.payload ?? []).toString("latin1"), "private")
      assert.strictEqual(yield* queue.take(({ secret }) => Effect.succeed(secret)), "a private matter")
      const after = yield* rowOf("sealed")
      assert.deepStrictEqual([after?.state, after?.payload], ["completed", null])
    })
  )

  it.effect("a payload opens in its own row only: otherwise the job is dead-lettered before any work", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* queueOf(kindOf("moved"))
      yield* queue.offer({ number: 1, secret: "a private matter" }, { key: "one" })
      yield* queue.offer({ number: 2 }, { key: "two" })
      yield* sql`
        UPDATE jobs SET payload = (SELECT payload FROM jobs WHERE queue_name = 'moved' AND key = 'two')
        WHERE queue_name = 'moved' AND key = 'one'
      `
      assert.strictEqual(yield* queue.take(numberOf), 2)
      const rows = yield* rowsOf("moved")
      assert.deepStrictEqual(
        rows.map(({ key, state }) => [key, state]),
        [
          ["one", "failed"],
          ["two", "completed"]
        ]
      )
      const sentence = "jobs.payload does not open with the key k1: it was changed, or sealed for another place"
      assert.strictEqual(rows[0]?.lastFailure, sentence)
      assert.isTrue(linesOf("moved").some((line) => line.includes('"ERROR"') && line.includes(rows[0]?.id ?? "-")))
      assert.strictEqual(yield* deadLetter("moved", "unreadable"), "1")
    })
  )

  it.effect("a payload that does not fit its queue is dead-lettered, and quoted nowhere", () =>
    Effect.gen(function* () {
      const other = yield* queueOf({ ...kindOf("misfits"), schema: Schema.Struct({ number: Schema.String }) })
      const queue = yield* queueOf(kindOf("misfits"))
      yield* other.offer({ number: "a private matter" })
      yield* queue.offer({ number: 2 })
      assert.strictEqual(yield* queue.take(numberOf), 2)
      const row = yield* rowOf("misfits")
      assert.deepStrictEqual([row?.state, row?.attempts], ["failed", 1])
      assert.isNotEmpty(row?.lastFailure)
      assert.isTrue(linesOf("misfits").some((line) => line.includes('"ERROR"')))
      assert.notInclude(JSON.stringify([row?.lastFailure, linesOf("misfits")]), "private")
      assert.strictEqual(yield* deadLetter("misfits", "unreadable"), "1")
    })
  )
})
