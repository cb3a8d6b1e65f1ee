import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { programIn } from "@care/build"
import { findFreeBase, forEveryService, offsets, startSuite } from "@care/sandbox"
import { firstSecret } from "@care/service-kit"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { builtPrograms } from "./harness/builtPrograms.ts"

const serverOf = (directory: string): number =>
  Number(readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n")[0])

// A PostgreSQL is a process with a child for each connection.
const processesOf = (server: number): ReadonlyArray<number> => {
  const childOf = (pid: string) => {
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]) === server
    } catch {
      return false
    }
  }
  return [
    server,
    ...readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && childOf(name))
      .map(Number)
  ]
}

const signal = (pids: ReadonlyArray<number>, name: "SIGSTOP" | "SIGCONT") =>
  Effect.sync(() => {
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch {
        // A connection may have ended meanwhile.
      }
    }
  })

/** Runs an effect while a PostgreSQL answers nothing, neither on old connections nor on new ones. */
const whilePaused = <A, E, R>(directory: string, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const pids = processesOf(serverOf(directory))
    return Effect.acquireUseRelease(
      signal(pids, "SIGSTOP"),
      () => effect,
      () => signal(pids, "SIGCONT")
    )
  })

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

// Longer than the gateway waits for the look-up of a key, before it uses the last answer and takes a slot at a service.
const measuredMillis = 4000

// So many organizations that they would take every slot of a service, if cells shared them.
const organizations = 20
const hanging = 600

it.live(
  "while the PostgreSQL of one cell answers nothing, the other cell answers all requests at the usual speed",
  () =>
    Effect.gen(function* () {
      const programs = yield* builtPrograms
      const port = yield* findFreeBase(Object.values(offsets))
      const other = yield* findFreeBase(Object.values(offsets))
      const { databaseDirectory, gatewayUrl, secrets } = yield* startSuite(
        {
          port,
          portOfCell: () => other,
          cells: 2,
          host: "127.0.0.1",
          dataDirectory: yield* temporaryFolder(),
          databaseUrls: forEveryService(undefined),
          publicUrl: `http://127.0.0.1:${port}`,
          isProduction: false,
          isTerminal: false,
          programOf: (name) => programIn(programs, name)
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

      const hung = yield* Effect.forEach(Array(organizations).keys(), () => keyIn("c1"))
      const usual = yield* keyIn("c2")
      yield* Effect.forEach(hung, timed)
      const before = yield* timings(usual)
      const directory = databaseDirectory ?? assert.fail("no embedded database")
      const during = yield* whilePaused(
        directory,
        Effect.gen(function* () {
          for (const index of Array(hanging).keys()) yield* Effect.forkScoped(read(hung[index % hung.length] ?? ""))
          const measured = yield* timings(usual)
          const [key = ""] = hung
          const answer = yield* Effect.timeoutOption(read(key), "1 second")
          assert.isTrue(Option.isNone(answer) || answer.value.status !== 400)
          return measured
        }).pipe(Effect.scoped)
      )
      assert.isBelow(median(during), 3 * median(before) + 20)
      assert.isBelow(Math.max(...during), 1000)
      yield* Effect.forEach(hung, (key) => Effect.retry(timed(key), { times: 20 }))
    }).pipe(Effect.scoped)
)
