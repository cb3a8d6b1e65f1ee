import { spawn } from "node:child_process"
import { join } from "node:path"
import { layerTestCipherWith, makePhiKey } from "@care/phi/testing"
import { layerPool } from "@care/service-kit"
import { makeTestDatabase, until } from "@care/service-kit/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { JobOffers } from "./JobOffers.ts"
import { layerJobs } from "./layerJobs.ts"
import { DeadlyJob } from "./testing/DeadlyJob.ts"

const script = join(import.meta.dirname, "./testing/deadlyProcess.ts")

const PHI_KEY = makePhiKey("k1")

interface Row {
  readonly id: string
  readonly key: string
  readonly state: string
  readonly attempts: number
  readonly crashes: number
}

const rows = SqlClient.SqlClient.use(
  (sql) => sql<Row>`SELECT id, key, state, attempts, crashes FROM jobs WHERE queue_name = 'deadly' ORDER BY key`
)

const offer = (kind: "deadly" | "innocent", name: string) =>
  Effect.flatMap(JobOffers, ({ queueOf }) =>
    queueOf({ ...DeadlyJob, concurrency: 1 }).offer({ kind, name, note: "a private matter" }, { key: name })
  )

/** Makes a queue on a new database, and a way to run processes that do its jobs one after the other. */
const deadlyQueue = Effect.gen(function* () {
  const { url } = yield* makeTestDatabase
  const output: Array<string> = []
  const exitCodes: Array<number | null> = []

  const run = (concurrency: number, mode: "together" | "apart") =>
    Effect.callback<void>((resume) => {
      const child = spawn(process.execPath, [script, url, String(concurrency), mode], {
        env: { ...process.env, PHI_KEY },
        stdio: ["ignore", "pipe", "inherit"]
      })
      child.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text))
      child.once("close", (code) => {
        exitCodes.push(code)
        resume(Effect.void)
      })
      return Effect.sync(() => child.removeAllListeners("close").kill("SIGKILL"))
    })

  const database = layerPool({ url: Redacted.make(url), schema: "cases", connections: 5, backgroundConnections: 5 })
  const jobs = Layer.fresh(layerJobs).pipe(Layer.provide(layerTestCipherWith(PHI_KEY)), Layer.provideMerge(database))
  return {
    exitCodes,
    written: () => output.join(""),
    jobs,
    run,
    /** Starts a process whenever one has ended, until all jobs have. */
    runUntilSettled: (concurrency: number) =>
      Effect.raceFirst(
        until(rows, (all) => all.every(({ state }) => /completed|failed/.test(state))),
        Effect.forever(run(concurrency, "apart"))
      )
  }
})

describe("jobs that end their process", () => {
  it.live("the third death sets a job aside, and all that ran beside it are done", () =>
    Effect.gen(function* () {
      const { exitCodes, jobs, run, runUntilSettled, written } = yield* deadlyQueue
      yield* Effect.gen(function* () {
        yield* offer("deadly", "killer")
        for (const number of [1, 2, 3]) yield* offer("innocent", `beside ${number}`)
        yield* run(4, "together")
        assert.deepStrictEqual(
          (yield* rows).map(({ attempts, state }) => [state, attempts]),
          Array.from({ length: 4 }, () => ["running", 1])
        )

        for (let number = 10; number < 30; number += 1) yield* offer("innocent", `later ${number}`)
        const [killer, ...innocents] = (yield* runUntilSettled(4)).toSorted(({ key }) => (key === "killer" ? -1 : 1))
        assert.deepInclude(killer, { key: "killer", state: "failed", attempts: 3, crashes: 3 })
        for (const { crashes, key, state } of innocents) {
          assert.deepStrictEqual([key, state, crashes], [key, "completed", key.startsWith("beside") ? 1 : 0])
        }
        assert.deepStrictEqual(exitCodes, [9, 9, 9])
        assert.deepStrictEqual(written().match(/killer begins beside \d/g), [
          "killer begins beside 3",
          "killer begins beside 0",
          "killer begins beside 0"
        ])
        assert.match(written(), new RegExp(`ERROR.*dead-lettered: died[^]*${killer?.id}`))
        assert.notInclude(written(), "private matter")
      }).pipe(Effect.provide(jobs))
    }).pipe(Effect.scoped)
  )
})
