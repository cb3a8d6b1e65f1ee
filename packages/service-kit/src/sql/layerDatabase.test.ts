import { peers } from "@care/domain/peers"
import { assert, it } from "@effect/vitest"
import { Array as Arr, Context, Effect, Fiber, Layer, Metric, Record, Redacted } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { makeTestDatabase } from "../testing/layerTestDatabase.ts"
import { makePools } from "../testing/makePools.ts"
import { asJob, asSlowRead, inBackground, MayReadStandby } from "./Lane.ts"
import { defaultConnections, layerPool } from "./layerDatabase.ts"
import { type Pooler, refuseWrongPooler } from "./pooler.ts"

it.live("a slow statement delays no other while a connection is free", () =>
  Effect.gen(function* () {
    const { slow, sql, whileSlow } = yield* makePools(2)
    assert.deepStrictEqual(yield* whileSlow([slow], sql`SELECT 1 AS one`), [{ one: 1 }])
  }).pipe(Effect.scoped)
)

it.live("slow background work delays no request, and slow requests delay no background work", () =>
  Effect.gen(function* () {
    const { slow, sql, whileSlow } = yield* makePools(2)
    const select = sql`SELECT 1 AS one`
    const transaction = sql.withTransaction(select)
    const both = Effect.all([select, transaction])
    assert.deepStrictEqual(yield* whileSlow([inBackground(slow), inBackground(slow)], both), [
      [{ one: 1 }],
      [{ one: 1 }]
    ])
    assert.deepStrictEqual(yield* whileSlow([slow, slow], inBackground(both)), [[{ one: 1 }], [{ one: 1 }]])
  }).pipe(Effect.scoped)
)

it.live("slow reads have a quarter of the connections for requests, and none for background work", () =>
  Effect.gen(function* () {
    const { slow, sql, whileSlow } = yield* makePools(8)
    const select = sql`SELECT 1 AS one`
    const third = yield* whileSlow(
      [asSlowRead(slow), asSlowRead(slow)],
      Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(asSlowRead(select), { startImmediately: true })
        const all = Effect.replicateEffect(sql.withTransaction(sql`SELECT pg_sleep(0.01)`), 6, {
          concurrency: "unbounded"
        })
        yield* Effect.all([all, inBackground(select)], { concurrency: "unbounded" })
        assert.isUndefined(waiting.pollUnsafe())
        return waiting
      })
    )
    assert.deepStrictEqual(yield* Fiber.join(third), [{ one: 1 }])
    yield* whileSlow([inBackground(slow), inBackground(slow)], asSlowRead(select))
  }).pipe(Effect.scoped)
)

it.live("the time that statements and transactions wait for a connection is counted by lane", () =>
  Effect.gen(function* () {
    const { slow, sql, whileSlow } = yield* makePools(1)
    const waited = Effect.map(PrometheusMetrics.format(), (text) => (lane: string) => {
      const found = new RegExp(`^database_connection_wait_seconds_total\\{lane="${lane}"\\} (\\S+)$`, "m").exec(text)
      return Number(found?.[1] ?? 0)
    })
    const select = sql`SELECT 1 AS one`
    const waiting = yield* whileSlow(
      [slow],
      Effect.gen(function* () {
        const both = yield* Effect.forEach([select, sql.withTransaction(select)], (statement) =>
          Effect.forkChild(statement, { startImmediately: true })
        )
        const interrupted = yield* Effect.forkChild(select, { startImmediately: true })
        yield* inBackground(sql`SELECT pg_sleep(0.1)`)
        yield* Fiber.interrupt(interrupted)
        assert.isAtLeast((yield* waited)("requests"), 0.09)
        return both
      })
    )
    yield* Fiber.joinAll(waiting)
    assert.isAtLeast((yield* waited)("requests"), 0.27)
    assert.strictEqual((yield* waited)("background"), 0)
  }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))
)

it.live("jobs leave a connection to other background work", () =>
  Effect.gen(function* () {
    const { slow, sql, whileSlow } = yield* makePools(2)
    const select = sql`SELECT 1 AS one`
    const waiting = yield* whileSlow(
      [asJob(slow)],
      Effect.gen(function* () {
        const jobs = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(asJob(select), { startImmediately: true }))
        yield* Effect.all([inBackground(select), inBackground(sql.withTransaction(select))])
        for (const job of jobs) assert.isUndefined(job.pollUnsafe())
        return jobs
      })
    )
    yield* Fiber.joinAll(waiting)
  }).pipe(Effect.scoped)
)

it.live("connections are lent in the order in which they were asked for", () =>
  Effect.gen(function* () {
    const { slow, sql, whileSlow } = yield* makePools(1)
    const order: Array<string> = []
    const note = (name: string) => Effect.sync(() => void order.push(name))
    const busy = Effect.andThen(slow, Effect.andThen(sql`SELECT 1`, note("asked again")))
    const transaction = sql.withTransaction(note("transaction"))
    const others = yield* whileSlow(
      [busy],
      Effect.forEach([Effect.andThen(sql`SELECT 1`, note("statement")), transaction], (other) =>
        Effect.forkChild(other, { startImmediately: true })
      )
    )
    yield* Fiber.joinAll(others)
    assert.deepStrictEqual(order, ["statement", "transaction", "asked again"])
  }).pipe(Effect.scoped)
)

it.live("an interrupted wait for a connection keeps none", () =>
  Effect.gen(function* () {
    const { slow, sql, whileSlow } = yield* makePools(1)
    const impatient = (effect: Effect.Effect<unknown, unknown>) =>
      Effect.flatMap(Effect.forkChild(effect, { startImmediately: true }), Fiber.interrupt)
    yield* whileSlow([slow], Effect.all([impatient(sql`SELECT 1`), impatient(sql.withTransaction(sql`SELECT 1`))]))
    assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
  }).pipe(Effect.scoped)
)

it.live("a transaction stays on its connection, whatever lane its statements have", () =>
  Effect.gen(function* () {
    const { sql } = yield* makePools(1)
    const transactionId = Effect.map(
      sql`SELECT pg_current_xact_id()::text AS id, pg_backend_pid() AS pid`,
      ([row]) => row
    )
    const inOne = sql.withTransaction(
      Effect.all([transactionId, inBackground(transactionId), sql.withTransaction(transactionId)])
    )
    for (const statements of [inOne, inBackground(inOne)]) {
      const [first, ...others] = yield* statements
      assert.deepStrictEqual(others, [first, first])
    }
    const apart = yield* Effect.all([transactionId, inBackground(transactionId)])
    assert.lengthOf(Arr.dedupe(apart.map((row) => row?.["pid"])), 2)
  }).pipe(Effect.scoped)
)

it.live("a transaction in which a statement failed does not commit silently", () =>
  Effect.gen(function* () {
    const { sql } = yield* makePools(1)
    const error = yield* Effect.flip(sql.withTransaction(Effect.ignore(sql`SELECT 1 / 0`)))
    assert.include(error.message, "The transaction was rolled back, because a statement in it failed")
    assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
  }).pipe(Effect.scoped)
)

it.live("the statements of requests have a shorter time limit than those of background work", () =>
  Effect.gen(function* () {
    const { sql } = yield* makePools(1)
    const timeout = sql`SHOW statement_timeout`
    assert.deepStrictEqual(yield* Effect.all([timeout, inBackground(timeout)]), [
      [{ statementTimeout: "10s" }],
      [{ statementTimeout: "1min" }]
    ])
  }).pipe(Effect.scoped)
)

it.live("a service whose pools do not connect fails to start, with one sentence", () =>
  Effect.gen(function* () {
    const url = Redacted.make("postgresql://someone:secret@127.0.0.1:1/care")
    const pools = layerPool({ url, schema: "cases", connections: 1, backgroundConnections: 1 })
    const { message } = yield* Effect.flip(Layer.build(pools))
    assert.match(message, /^Cannot use PostgreSQL at 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\): check DATABASE_URL\.$/)
  }).pipe(Effect.scoped)
)

const throughPooler = (url: string, pooler: Pooler) =>
  layerPool({ url: Redacted.make(url), schema: "cases", connections: 1, backgroundConnections: 1, pooler })

it.live("statements have no names before a pooler that does not keep them", () =>
  Effect.gen(function* () {
    const { urls } = yield* makeTestDatabase
    const named = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.withTransaction(
        Effect.andThen(sql`SELECT 7 AS seven`, sql`SELECT count(*)::int AS named FROM pg_prepared_statements`)
      )
    )
    const namedBefore = (pooler: Pooler) => Effect.provide(named, Layer.fresh(throughPooler(urls.cases, pooler)))
    assert.deepStrictEqual(yield* namedBefore("transaction-unprepared"), [{ named: 0 }])
    const [row] = yield* namedBefore("session")
    assert.isAbove(Number(row?.["named"]), 2)
  }).pipe(Effect.scoped)
)

it.live("a service refuses a pooler that is not the one of DATABASE_POOLER, and a role that brings nothing", () =>
  Effect.gen(function* () {
    const { url, urls } = yield* makeTestDatabase
    const refusal = (of: string, pooler: Pooler) =>
      Effect.map(Effect.flip(Layer.build(throughPooler(of, pooler))), ({ message }) => message)
    assert.match(
      yield* refusal(urls.cases, "transaction"),
      /^There is no pooler at 127\.0\.0\.1:\d+ that keeps .*: set DATABASE_POOLER to transaction-unprepared, or to session/
    )
    assert.match(
      yield* refusal(url, "transaction-unprepared"),
      /^Behind a pooler .* postgres at 127\.0\.0\.1:\d+ does not: run ALTER ROLE "postgres" SET search_path = cases, /
    )
    const withoutPooler = { pooler: "session", schema: "cases", url: Redacted.make(urls.cases) } as const
    const { sql } = yield* makePools(1)
    yield* refuseWrongPooler(sql, { ...withoutPooler, statementSeconds: 10 })
    const dropped = yield* Effect.flip(refuseWrongPooler(sql, { ...withoutPooler, statementSeconds: 11 }))
    assert.match(dropped.message, /^A pooler at 127\.0\.0\.1:\d+ drops what a session sets: set DATABASE_POOLER to /)
  }).pipe(Effect.scoped)
)

it.live(
  "a read that may come from a standby comes from the primary while the standby is away, behind, or another server",
  () =>
    Effect.gen(function* () {
      const { urls } = yield* makeTestDatabase
      const outcomes = Effect.map(PrometheusMetrics.format(), (text) =>
        Array.from(
          text.matchAll(/^standby_reads_total\{outcome="(\w+)"\} (\d+)$/gm),
          ([, name, count]) => `${name} ${count}`
        )
      )
      // Without replication a server has replayed nothing.
      for (const [readUrl, outcome] of [
        ["postgresql://someone:secret@127.0.0.1:1/care", "away"],
        [urls.cases, "behind"]
      ] as const) {
        yield* Effect.gen(function* () {
          const pools = layerPool({
            ...{ url: Redacted.make(urls.cases), schema: "cases", connections: 1, backgroundConnections: 1 },
            readUrl: Redacted.make(readUrl)
          })
          const sql = Context.get(yield* Layer.build(Layer.fresh(pools)), SqlClient.SqlClient)
          const read = sql`SELECT 1 AS one`
          yield* asSlowRead(read)
          assert.deepStrictEqual(yield* outcomes, [])
          for (const each of [read, sql.withTransaction(read)]) {
            const rows = yield* asSlowRead(each).pipe(Effect.provideService(MayReadStandby, true))
            assert.deepStrictEqual(rows, [{ one: 1 }])
          }
          assert.deepStrictEqual(yield* outcomes, [`${outcome} 2`])
        }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
      }
    }).pipe(Effect.scoped)
)

it("two instances of every service, and a migrating one of each, fit into PostgreSQL's default connections", () => {
  const { backgroundConnections, connections } = defaultConnections
  const superuserConnections = 3
  const total = Record.size(peers) * (2 * (connections + backgroundConnections) + 1)
  assert.isAtMost(total, 100 - superuserConnections)
})
