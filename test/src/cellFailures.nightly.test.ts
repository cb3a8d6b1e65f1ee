import { readdirSync, readFileSync } from "node:fs"
import { programIn } from "@care/build"
import { findFreeBase, forEveryService, offsets, startSuite } from "@care/sandbox"
import { firstSecret } from "@care/service-kit"
import { makeEmptyDatabase, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { builtPrograms } from "./harness/builtPrograms.ts"
import { runProxy } from "./harness/runProxy.ts"
import { until } from "./harness/until.ts"

const isServiceOf = (pid: string, cell: string): boolean => {
  try {
    const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1])
    return parent === process.pid && readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`CELL=${cell}`)
  } catch {
    return false
  }
}

/** Kills the services of a cell that this process started. */
const killServices = (cell: string) =>
  Effect.sync(() => {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isServiceOf(name, cell))
    assert.lengthOf(pids, 4)
    for (const pid of pids) process.kill(Number(pid), "SIGKILL")
  })

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

// Longer than the gateway waits for the look-up of a key, before it uses the last answer and takes a slot at a service.
const measuredMillis = 4000

// What cells share delays several requests of each measurement by a second or more. A busy machine delays one at times.
const countDelayed = (millis: ReadonlyArray<number>): number => millis.filter((each) => each >= 1000).length

// So many organizations that they would take every slot of a service, if cells shared them.
const organizations = 20
const hanging = 600

// Longer than three measurements, so that killed services are away during all of them.
const restartMillis = 20_000

// Of which the gateway waits 3 seconds for a cell.
const listBoundMillis = 4500

it.live(
  "whatever fails in one cell, the other cell answers all requests at the usual speed, and lists name the cell that is away",
  () =>
    Effect.gen(function* () {
      const programs = yield* builtPrograms
      const port = yield* findFreeBase(Object.values(offsets))
      const other = yield* findFreeBase(Object.values(offsets))
      const proxy = yield* runProxy((yield* makeEmptyDatabase).url)
      const { gatewayUrl, secrets } = yield* startSuite(
        {
          port,
          portOfCell: () => other,
          cells: 2,
          host: "127.0.0.1",
          dataDirectory: yield* temporaryFolder(),
          databaseUrls: forEveryService(proxy.url),
          publicUrl: `http://127.0.0.1:${port}`,
          isProduction: false,
          isTerminal: false,
          programOf: (name) => programIn(programs, name),
          restartMillis
        },
        () => {}
      )
      const send = (path: string, init: RequestInit) =>
        Effect.promise(async (signal) => {
          const response = await fetch(`${gatewayUrl}${path}`, { ...init, signal })
          return { status: response.status, text: await response.text() }
        })
      const authorization = `Bearer ${firstSecret(secrets.ADMIN_TOKEN)}`
      const admin = Effect.fnUntraced(function* (path: string, body: unknown) {
        const headers = { authorization, "content-type": "application/json" }
        const { status, text } = yield* send(`/admin/v1${path}`, {
          method: "POST",
          headers,
          body: JSON.stringify(body)
        })
        assert.strictEqual(status, 201, text)
        return JSON.parse(text)
      })
      const keyIn = Effect.fnUntraced(function* (cell: string) {
        const { id } = yield* admin("/organizations", { name: "Clinic", cell })
        const { key } = yield* admin(`/organizations/${id}/api-keys`, {})
        return String(key)
      })
      const read = (key: string) =>
        send("/api/v1/customer-latest-case-id?email=nobody@example.com", { headers: { "cv-api-key": key } })
      const timed = Effect.fnUntraced(function* (key: string) {
        const began = performance.now()
        const { status, text } = yield* read(key)
        assert.deepStrictEqual([status, text.includes("No Case found")], [400, true], text)
        return performance.now() - began
      })
      const timings = (key: string) =>
        Effect.gen(function* () {
          const measured: Array<number> = []
          const end = performance.now() + measuredMillis
          while (performance.now() < end) measured.push(yield* timed(key))
          return measured
        })
      const cellsAwayIn = Effect.fnUntraced(function* (path: string) {
        const began = performance.now()
        const { status, text } = yield* send(`/admin/v1${path}`, { headers: { authorization } })
        assert.strictEqual(status, 200, text)
        assert.isBelow(performance.now() - began, listBoundMillis, path)
        return JSON.parse(text).cellsAway
      })

      const failing = yield* Effect.forEach(Array(organizations).keys(), () => keyIn("c1"))
      const usual = yield* keyIn("c2")
      const untilRecovered = Effect.forEach(failing, (key) => until(read(key), ({ status }) => status === 400))
      yield* untilRecovered
      const before = yield* timings(usual)

      const failures = {
        "its PostgreSQL answers nothing": { fail: proxy.fail("hangs"), recover: proxy.recover },
        "its PostgreSQL answers after 5 seconds": { fail: proxy.fail("delays"), recover: proxy.recover },
        "its PostgreSQL refuses connections": { fail: proxy.fail("refuses"), recover: proxy.recover },
        "its services are killed": { fail: killServices("c1"), recover: Effect.void }
      }
      for (const [what, { fail, recover }] of Object.entries(failures)) {
        yield* fail
        const measure = Effect.gen(function* () {
          for (const index of Array(hanging).keys()) {
            yield* Effect.forkScoped(read(failing[index % failing.length] ?? ""))
          }
          const lists = yield* Effect.forkScoped(
            Effect.forEach(["/organizations", "/cases", "/jobs", "/audit"], cellsAwayIn, { concurrency: "unbounded" })
          )
          const measured = yield* timings(usual)
          for (const cellsAway of yield* Fiber.join(lists)) assert.deepStrictEqual(cellsAway, ["c1"], what)
          const [key = ""] = failing
          const answer = yield* Effect.timeoutOption(read(key), "1 second")
          assert.isTrue(Option.isNone(answer) || answer.value.status !== 400, what)
          return measured
        }).pipe(Effect.scoped)
        const during = yield* Effect.repeat(measure, { while: (millis) => countDelayed(millis) > 1, times: 2 })
        assert.isBelow(median(during), 3 * median(before) + 20, what)
        assert.isAtMost(countDelayed(during), 1, what)
        yield* recover
        yield* untilRecovered
      }
    }).pipe(Effect.scoped),
  180_000
)
