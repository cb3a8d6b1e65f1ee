import { randomUUID } from "node:crypto"
import { layerTestCipher } from "@care/phi/testing"
import { Lane, RequestId, Time } from "@care/service-kit"
import { layerTestDatabase, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Layer, Logger, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Job from "./Job.ts"
import { usualTimes } from "./JobTimes.ts"
import { layerJobsWith } from "./layerJobs.ts"

const lines: Array<string> = []
const layerLines = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])

const TestLayer = layerJobsWith({ ...usualTimes, pollInterval: Duration.hours(1) }).pipe(
  Layer.provideMerge(layerTestDatabase("cases")),
  Layer.provide(layerTestCipher),
  Layer.provideMerge(layerLines)
)

const schema = Schema.Struct({ note: Schema.String })

layer(TestLayer, { excludeTestServices: true })("a kind of job", (it) => {
  const once = { version: 1, schema, retries: Job.upTo(1), concurrency: 1 }
  class Greetings extends Job.make<Greetings>()("greeting", once) {}
  class Questions extends Job.make<Questions>()("question", once) {}
  class Chores extends Job.make<Chores>()("chore", once) {}
  class Orphans extends Job.make<Orphans>()("orphan", once) {}

  const rowOf = (queue: string) =>
    SqlClient.SqlClient.use(
      (sql) => sql<{
        id: string
        state: string
        lastFailure: string | null
        requestId: string
        traceparent: string | null
      }>`
        SELECT id, state, last_failure, request_id, traceparent FROM jobs WHERE queue_name = ${queue}
      `
    ).pipe(Effect.map(([row]) => row))

  it.effect("its worker wakes up when the transaction commits, however long that takes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const done = yield* Deferred.make<string>()
      const worker = Greetings.worker(Effect.succeed(({ note }) => Effect.asVoid(Deferred.succeed(done, note))))
      yield* Effect.gen(function* () {
        const { offer } = yield* Greetings
        // Long enough for the worker to have claimed once, and to wait for the next hour or for an offer.
        const aWhile = Effect.replicateEffect(sql`SELECT 1`, 100)
        yield* sql.withTransaction(Effect.all([aWhile, offer({ note: "hello" }), aWhile]))
        assert.strictEqual(yield* Deferred.await(done), "hello")
      }).pipe(Effect.provide(Layer.provideMerge(worker, Greetings.layer)))
    })
  )

  it.effect("it has the time of its organization's clock", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organization = Schema.Struct({ organizationId: Schema.String })
      class Alarms extends Job.make<Alarms>()("alarm", { ...once, schema: organization }) {}
      const [sandbox, live] = [randomUUID(), randomUUID()]
      yield* sql`INSERT INTO test_organizations VALUES (${sandbox}, 86400000)`
      const done = new Map<string, number>()
      const worker = Alarms.worker(
        Effect.succeed(({ organizationId }) => Effect.map(Time.nowMillis, (now) => done.set(organizationId, now)))
      )
      yield* Effect.gen(function* () {
        const { offer } = yield* Alarms
        for (const organizationId of [sandbox, live]) yield* offer({ organizationId })
        yield* until(
          Effect.sync(() => done.size),
          (count) => count === 2
        )
        const difference = (done.get(sandbox) ?? 0) - (done.get(live) ?? 0)
        assert.isAbove(difference, 86_000_000)
      }).pipe(Effect.provide(Layer.provideMerge(worker, Alarms.layer)))
    })
  )

  it.effect("it runs on the connections of jobs, and its offer on those of the request", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lane = yield* Deferred.make<typeof Lane.Service>()
      const worker = Chores.worker(Effect.succeed(() => Effect.flatMap(Lane, (name) => Deferred.succeed(lane, name))))
      yield* Effect.gen(function* () {
        const { offer } = yield* Chores
        const offered = sql.withTransaction(Effect.andThen(offer({ note: "" }), Lane))
        assert.deepStrictEqual([yield* offered, yield* Deferred.await(lane)], ["requests", "jobs"])
      }).pipe(Effect.provide(Layer.provideMerge(worker, Chores.layer)))
    })
  )

  it.effect("it has the request id and the trace of the request that offered it", () =>
    Effect.gen(function* () {
      const caused = yield* Deferred.make<{ readonly requestId: string; readonly traceId: string }>()
      const worker = Questions.worker(
        Effect.succeed(
          Effect.fnUntraced(function* () {
            const { traceId } = yield* Effect.orDie(Effect.currentSpan)
            yield* Effect.logInfo("work for a question")
            yield* Deferred.succeed(caused, { requestId: yield* RequestId, traceId })
            return yield* Effect.fail(new Error("no answer"))
          })
        )
      )
      yield* Effect.gen(function* () {
        const { offer } = yield* Questions
        const { traceId } = yield* Effect.orDie(Effect.currentSpan)
        yield* offer({ note: "why?" }).pipe(Effect.provideService(RequestId, "request-7"))
        assert.deepStrictEqual(yield* Deferred.await(caused), { requestId: "request-7", traceId })

        const linesOf = (text: string) => lines.filter((line) => line.includes(text))
        yield* until(rowOf("question"), () => linesOf("A job was dead-lettered: failed").length > 0)
        const row = yield* rowOf("question")
        assert.strictEqual(row?.requestId, "request-7")
        assert.match(row?.traceparent ?? "", new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
        for (const text of ["work for a question", "Job failed, attempt 1", "A job was dead-lettered: failed"]) {
          const [line] = linesOf(text)
          assert.include(line, '"requestId":"request-7"')
        }
      }).pipe(Effect.withSpan("a request"), Effect.provide(Layer.provideMerge(worker, Questions.layer)))
    })
  )

  it.effect("without a request it has its own id as request id, and begins a trace", () =>
    Effect.gen(function* () {
      const { offer } = yield* Orphans
      yield* Effect.withTracerEnabled(offer({ note: "nobody asked" }), false)
      const row = yield* rowOf("orphan")
      assert.isString(row?.id)
      assert.deepStrictEqual([row?.requestId, row?.traceparent], [row?.id, null])
    }).pipe(Effect.provide(Orphans.layer))
  )

  it.effect("a payload of a version that the process does not know is dead-lettered, naming both", () =>
    Effect.gen(function* () {
      class Old extends Job.make<Old>()("versions", once) {}
      class New extends Job.make<New>()("versions", { ...once, version: 2 }) {}
      yield* Effect.flatMap(New, ({ offer }) => offer({ note: "a private matter" })).pipe(Effect.provide(New.layer))
      const row = yield* until(rowOf("versions"), (found) => found?.state === "failed").pipe(
        Effect.provide(Old.worker(Effect.succeed(() => Effect.die("this must not be worked on"))))
      )
      const sentence = "Its payload has version 2, and this process knows version 1"
      assert.strictEqual(row?.lastFailure, sentence)
      const error = Option.fromNullishOr(lines.find((line) => line.includes("unreadable")))
      assert.include(Option.getOrThrow(error), sentence)
    })
  )
})
