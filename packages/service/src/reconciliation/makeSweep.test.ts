import { layerAuditedDatabase } from "@care/audit/testing"
import { changedClock } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Layer, Logger, Queue } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { makeSweep, type SweepSource } from "./makeSweep.ts"

const lines: Array<string> = []
const layerLines = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])

const minute = Duration.minutes(1)

// Makes a source of some pages, each with one difference.
const differingSource = (name: string, pages: number): SweepSource => ({
  name,
  page: (cursor = "0") =>
    Effect.succeed({
      cursor: `${Number(cursor) + 1}`,
      isLast: Number(cursor) + 1 >= pages,
      compared: 10,
      differences: [{ action: "REPORTED", what: "Something differs", id: `${name} ${cursor}`, organizationId: null }]
    })
})

layer(Layer.merge(layerAuditedDatabase("payments"), layerLines), { excludeTestServices: true })("a sweep", (it) => {
  it.effect("compares each source to its end, and the next sweep goes on at the cursor", () =>
    Effect.gen(function* () {
      const run = yield* makeSweep([differingSource("first", 2), differingSource("second", 1)])
      const swept = yield* run(minute)
      assert.deepStrictEqual(swept.sources, [
        { name: "first", state: "DONE", compared: 20 },
        { name: "second", state: "DONE", compared: 10 }
      ])
      assert.deepStrictEqual(
        [swept.state, swept.differences.map(({ id }) => id)],
        ["DONE", ["first 0", "first 1", "second 0"]]
      )
      assert.deepStrictEqual(
        (yield* run(minute)).differences.map(({ id }) => id),
        ["first 2", "second 1"]
      )
    })
  )

  it.effect("reports each difference in a log line and a metric", () =>
    Effect.gen(function* () {
      yield* (yield* makeSweep([differingSource("reported", 1)]))(minute)
      assert.isTrue(lines.some((line) => line.includes("Something differs") && line.includes("reported 0")))
      const metrics = yield* PrometheusMetrics.format()
      assert.match(metrics, /reconciliation_differences_total\{[^}]*source="reported"[^}]*\} 1/)
    })
  )

  it.effect("begins no page after its time, and returns `MORE` then", () =>
    Effect.gen(function* () {
      const run = yield* makeSweep([differingSource("long", 3)])
      assert.deepInclude(yield* run(Duration.zero), { state: "MORE", differences: [] })
      assert.strictEqual((yield* run(minute)).state, "DONE")
    })
  )

  it.effect("a source without an end does not use up the time of the others", () =>
    Effect.gen(function* () {
      let seconds = 0
      const clock = changedClock({ millis: () => Date.now() + seconds * 1000 })
      const page = (cursor = "0") =>
        Effect.sync(() => {
          seconds += 1
          return { cursor: `${Number(cursor) + 1}`, isLast: false, compared: 1, differences: [] }
        })
      const run = yield* makeSweep([{ name: "endless", page }, differingSource("after", 1)])
      const swept = yield* Effect.provideService(run(minute), Clock.Clock, clock)
      assert.deepStrictEqual(
        swept.sources.map(({ name, state }) => [name, state]),
        [
          ["endless", "MORE"],
          ["after", "DONE"]
        ]
      )
    })
  )

  it.effect("a source that fails is logged, keeps its cursor, and delays no other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const broken: SweepSource = { name: "broken", page: () => Effect.die(new Error("away")) }
      const swept = yield* (yield* makeSweep([broken, differingSource("beside", 1)]))(minute)
      assert.strictEqual(swept.state, "FAILED")
      assert.deepStrictEqual(
        swept.sources.map(({ name, state }) => [name, state]),
        [
          ["broken", "FAILED"],
          ["beside", "DONE"]
        ]
      )
      assert.isTrue(lines.some((line) => line.includes("cannot be compared") && line.includes('"WARN"')))
      assert.match(yield* PrometheusMetrics.format(), /reconciliation_failures_total\{[^}]*source="broken"[^}]*\} 1/)
      assert.deepStrictEqual(yield* sql`SELECT FROM reconciliation_cursors WHERE source = 'broken'`, [])
    })
  )

  it.effect("a page that never ends fails within the time of a job, extends the lease, and delays no other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const real = yield* Clock.Clock
      const waited: Array<number> = []
      let isHanging = false
      const hangs = yield* Deferred.make<void>()
      const hurried = changedClock({
        // As soon as the page hangs, its time is over.
        sleep: (duration) => {
          waited.push(Duration.toSeconds(duration))
          return isHanging ? real.sleep(duration) : Deferred.await(hangs)
        }
      })
      const expiring = sql`UPDATE reconciliation_leases SET expires_at = clock_timestamp() + interval '5 seconds'`
      const left = sql<{ seconds: number }>`
        SELECT extract(epoch FROM expires_at - clock_timestamp())::int AS seconds FROM reconciliation_leases
      `
      let seconds = 0
      const hanging: SweepSource = {
        name: "hanging",
        page: () =>
          Effect.gen(function* () {
            yield* Effect.orDie(expiring)
            isHanging = true
            yield* Deferred.succeed(hangs, undefined)
            return yield* Effect.never
          })
      }
      const last: SweepSource = {
        name: "last",
        page: () =>
          Effect.map(Effect.orDie(left), ([lease]) => {
            seconds = lease?.seconds ?? 0
            return { cursor: "1", isLast: true, compared: 1, differences: [] }
          })
      }
      const run = yield* makeSweep([hanging, last])
      const swept = yield* Effect.provideService(run(Duration.seconds(75)), Clock.Clock, hurried)
      assert.deepStrictEqual(
        swept.sources.map(({ name, state }) => [name, state]),
        [
          ["hanging", "FAILED"],
          ["last", "DONE"]
        ]
      )
      assert.isAbove(seconds, 10)
      // The maximum time of a page, counted from the start of the sweep.
      assert.isAtMost(Math.max(...waited), 112.5)
      assert.isAtLeast(Math.max(...waited), 70)
    })
  )

  it.effect("of 20 parallel sweeps one compares, and the others are `BUSY`", () =>
    Effect.gen(function* () {
      const open = yield* Deferred.make<void>()
      let pages = 0
      const page = Effect.gen(function* () {
        pages += 1
        yield* Deferred.await(open)
        return { cursor: "1", isLast: true, compared: 1, differences: [] }
      })
      const run = yield* makeSweep([{ name: "once", page: () => page }])
      const ended = yield* Queue.unbounded<string>()
      const runOnce = Effect.flatMap(run(minute), ({ state }) => Queue.offer(ended, state))
      yield* Effect.replicateEffect(Effect.forkScoped(runOnce), 20)
      const others = yield* Effect.replicateEffect(Queue.take(ended), 19)
      assert.deepStrictEqual([...new Set(others)], ["BUSY"])
      yield* Deferred.succeed(open, undefined)
      assert.deepStrictEqual([yield* Queue.take(ended), pages], ["DONE", 1])
      assert.strictEqual((yield* run(minute)).state, "DONE")
    })
  )

  it.effect("stores no cursor when its lease was lost", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const losing: SweepSource = {
        name: "lost",
        page: () =>
          Effect.as(Effect.orDie(sql`UPDATE reconciliation_leases SET holder = gen_random_uuid()`), {
            cursor: "1",
            isLast: true,
            compared: 1,
            differences: []
          })
      }
      assert.strictEqual((yield* (yield* makeSweep([losing]))(minute)).state, "BUSY")
      assert.deepStrictEqual(yield* sql`SELECT FROM reconciliation_cursors WHERE source = 'lost'`, [])
      yield* sql`DELETE FROM reconciliation_leases`
    })
  )
})
