import { join } from "node:path"
import { findFreeBase, runEmbeddedPostgres } from "@care/sandbox"
import { inBackground, layerPool } from "@care/service-kit"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryFolder } from "./temporaryFolder.ts"

const callers = 8
const slowAtOnce = 4
const roundMillis = 5000

const layerSql = Layer.unwrap(
  Effect.gen(function* () {
    const directory = join(yield* temporaryFolder, "postgres")
    const port = yield* findFreeBase([0])
    const { url } = yield* runEmbeddedPostgres({ directory, port, password: "bench", isDurable: true })
    return layerPool({ url: Redacted.make(url), schema: "public", connections: 8, backgroundConnections: 3 })
  })
)

const bench = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE things AS SELECT id, repeat(md5(id::text), 30) AS text FROM generate_series(1, 100000) id`
  yield* sql`ALTER TABLE things ADD PRIMARY KEY (id)`
  const slow = sql`SELECT pg_sleep(0.5)`
  const lookUp = Effect.suspend(() => sql`SELECT text FROM things WHERE id = ${Math.ceil(Math.random() * 100_000)}`)

  const measure = Effect.fnUntraced(function* (
    label: string,
    background: ReadonlyArray<Effect.Effect<unknown, unknown>>
  ) {
    const took: Array<number> = []
    const end = (yield* Clock.currentTimeMillis) + roundMillis
    const untilEnd = <E>(work: Effect.Effect<unknown, E>) =>
      Effect.repeat(work, { while: () => Effect.map(Clock.currentTimeMillis, (now) => now < end) })
    const timed = Effect.map(Effect.timed(lookUp), ([time]) => took.push(Duration.toMillis(time)))
    const callersAtOnce = Array.from({ length: callers }, () => timed)
    yield* Effect.all([...background, ...callersAtOnce].map(untilEnd), { concurrency: "unbounded" })
    took.sort((first, second) => first - second)
    const at = (part: number) => `${took[Math.floor(took.length * part)]?.toFixed(1).padStart(8)} ms`
    const perSecond = ((took.length * 1000) / roundMillis).toFixed(0).padStart(6)
    process.stdout.write(`${label.padEnd(32)}${perSecond} /s  p50${at(0.5)}  p95${at(0.95)}  p99${at(0.99)}\n`)
  })

  const many = (first: Effect.Effect<unknown, unknown>) => Array.from({ length: slowAtOnce }, () => first)
  yield* measure("warming up", [])
  yield* measure("look-ups alone", [])
  yield* measure("beside slow background", many(inBackground(slow)))
  yield* measure("beside slow requests", many(slow))
})

// Measures look-ups while statements of 500 ms run at the same time, on the pools of a service.
await Effect.runPromise(Effect.scoped(Effect.provide(bench, layerSql)))
