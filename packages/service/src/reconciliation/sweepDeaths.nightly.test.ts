import { spawn } from "node:child_process"
import { join } from "node:path"
import { layerPool } from "@care/service-kit"
import { makeTestDatabase, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

const script = join(import.meta.dirname, "../testing/sweepingProcess.ts")

/** Runs a process to its end. Returns what it printed and the signal that killed it. */
const run = (...args: ReadonlyArray<string>) =>
  Effect.callback<{ readonly printed: string; readonly signal: NodeJS.Signals | null }>((resume) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] })
    let printed = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
    })
    child.once("close", (_, signal) => resume(Effect.succeed({ printed: printed.trim(), signal })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

it.live(
  "a sweep that is killed between a page and its cursor loses nothing, and goes on elsewhere within 16 seconds",
  () =>
    Effect.gen(function* () {
      const { url } = yield* makeTestDatabase
      const database = layerPool({
        url: Redacted.make(url),
        schema: "payments",
        connections: 5,
        backgroundConnections: 5
      })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE seen (number integer PRIMARY KEY, times integer NOT NULL)`
        const cursors = sql<{ cursor: string }>`SELECT cursor FROM reconciliation_cursors`
        const { signal } = yield* run(url, "1")
        assert.strictEqual(signal, "SIGKILL")
        assert.deepStrictEqual(yield* cursors, [{ cursor: "10" }])
        const killed = yield* Clock.currentTimeMillis
        assert.deepStrictEqual(yield* run(url), { printed: "BUSY", signal: null })
        yield* until(sql`SELECT FROM reconciliation_leases WHERE expires_at < now()`, ({ length }) => length === 1)
        assert.isBelow((yield* Clock.currentTimeMillis) - killed, 16_000)
        assert.deepStrictEqual(yield* run(url), { printed: "DONE", signal: null })
        const seen = yield* sql<{ number: number; times: number }>`SELECT number, times FROM seen ORDER BY number`
        assert.deepStrictEqual(
          seen.map(({ times }) => times),
          Array.from({ length: 30 }, (_, number) => (number >= 10 && number < 20 ? 2 : 1))
        )
        assert.deepStrictEqual(yield* cursors, [{ cursor: "30" }])
        assert.deepStrictEqual(yield* sql`SELECT FROM reconciliation_leases`, [])
      }).pipe(Effect.provide(database))
    }).pipe(Effect.scoped)
)
