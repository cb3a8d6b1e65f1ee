import { spawn } from "node:child_process"
import { chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { query } from "../test/query.ts"
import { until } from "../test/until.ts"
import { endOf } from "./childProcess.ts"
import { type EmbeddedPostgresOptions, runEmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { findFreeBase, isPortFree } from "./ports.ts"
import { isAccepting } from "./postmaster.ts"
import { processDetails } from "./processDetails.ts"

const newOptions = Effect.fnUntraced(function* (mode?: number) {
  const directory = join(yield* temporaryFolder(mode), "postgres")
  return { directory, port: yield* findFreeBase([0]), password: "secret", isDurable: false }
})

// A private temporary folder has 0700: as root, PostgreSQL's account cannot enter it.
for (const mode of [0o755, 0o700]) {
  it.live(`finds its data again after a stop, in a folder of mode ${mode.toString(8)}`, () =>
    Effect.gen(function* () {
      const run = runEmbeddedPostgres(yield* newOptions(mode))
      const used = yield* Effect.scoped(
        Effect.tap(run, ({ url }) => query(url, (sql) => sql`CREATE TABLE kept AS SELECT 7 AS number`))
      )
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(used.directory, { recursive: true, force: true })))
      const rows = yield* Effect.scoped(
        Effect.flatMap(run, ({ url }) => query(url, (sql) => sql<{ number: number }>`SELECT number FROM kept`))
      )
      assert.deepStrictEqual(rows, [{ number: 7 }])
    }).pipe(Effect.scoped)
  )
}

const pidOf = (directory: string) => Number(readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n")[0])

const isAlive = (pid: number) => processDetails(pid) !== undefined

// Another process that runs a server until it is killed.
const runElsewhere = (options: EmbeddedPostgresOptions) => {
  const script = `
    import { Effect } from "effect"
    import { runEmbeddedPostgres } from "./src/EmbeddedPostgres.ts"
    await Effect.runPromise(Effect.scoped(Effect.andThen(runEmbeddedPostgres(${JSON.stringify(options)}), Effect.never)))
  `
  return Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, ["--input-type=module", "-e", script], {
        cwd: join(import.meta.dirname, ".."),
        stdio: "ignore"
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
}

it.live("says in a sentence that its port is taken, and initialises nothing", () =>
  Effect.gen(function* () {
    const options = yield* newOptions()
    const { directory, port } = options
    const listener = createServer()
    yield* Effect.callback<void>((resume) => {
      listener.listen({ port, host: "127.0.0.1" }, () => resume(Effect.void))
    })
    const run = Effect.scoped(runEmbeddedPostgres(options))
    assert.match((yield* Effect.flip(run)).message, new RegExp(`^Port ${port} is taken, .*: stop what listens there`))
    assert.isFalse(existsSync(directory))
    listener.close()
  }).pipe(Effect.scoped)
)

it.live("an initialisation that is cut off leaves nothing behind", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const port = yield* findFreeBase([0])
    const run = Effect.scoped(
      runEmbeddedPostgres({ directory: join(folder, "postgres"), port, password: "secret", isDurable: true })
    )
    const fiber = yield* Effect.forkChild(run)
    yield* until(() => readdirSync(folder).some((name) => existsSync(join(folder, name, "data", "base", "1"))))
    yield* Fiber.interrupt(fiber)
    assert.deepStrictEqual(readdirSync(folder), [])
  }).pipe(Effect.scoped)
)

/** Options for a server on existing data. */
class Initialised extends Context.Service<Initialised, EmbeddedPostgresOptions>()("@care/sandbox/Initialised") {}

const layerInitialised = Layer.effect(
  Initialised,
  Effect.tap(newOptions(), (options) => Effect.scoped(runEmbeddedPostgres(options)))
)

layer(layerInitialised, { excludeTestServices: true })("on data that are there", (it) => {
  it.effect("runs with its settings", () =>
    Effect.gen(function* () {
      const options = yield* Initialised
      const settings = { shared_preload_libraries: "pg_stat_statements", "pg_stat_statements.track": "all" }
      const { url } = yield* runEmbeddedPostgres({ ...options, settings })
      yield* query(url, (sql) => sql`CREATE EXTENSION pg_stat_statements`)
      yield* query(url, (sql) => sql`SELECT 1 AS seen`)
      const seen = yield* query(url, (sql) => sql`SELECT query FROM pg_stat_statements WHERE query LIKE '%AS seen'`)
      assert.deepStrictEqual(seen, [{ query: "SELECT $1 AS seen" }])
    }).pipe(Effect.scoped)
  )

  it.effect("has no secret of its parent process in its environment", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => Object.assign(process.env, { PHI_KEY: "k1:canary" })),
        () => Effect.sync(() => delete process.env["PHI_KEY"])
      )
      const { url } = yield* runEmbeddedPostgres(yield* Initialised)
      const environment = yield* query(url, (sql) =>
        Effect.gen(function* () {
          yield* sql`CREATE TABLE environment (line text)`
          yield* sql`COPY environment FROM PROGRAM 'env'`
          return yield* sql`SELECT line FROM environment`
        })
      )
      assert.include(JSON.stringify(environment), "PATH=")
      assert.notInclude(JSON.stringify(environment), "canary")
    }).pipe(Effect.scoped)
  )

  it.effect("takes over the data of a server that was killed, and leaves a running one alone", () =>
    Effect.gen(function* () {
      const options = yield* Initialised
      const { directory } = options
      const other = yield* runElsewhere(options)
      yield* until(() => existsSync(join(directory, "postmaster.pid")) && isAccepting(directory, pidOf(directory)))
      const first = pidOf(directory)
      const { message } = yield* Effect.flip(Effect.scoped(runEmbeddedPostgres(options)))
      assert.include(message, `is in use by process ${other.pid}: stop that one`)
      assert.isTrue(isAlive(first))

      other.kill("SIGKILL")
      yield* endOf(other)
      const { url } = yield* runEmbeddedPostgres(options)
      assert.isFalse(isAlive(first))
      assert.deepStrictEqual(yield* query(url, (sql) => sql`SELECT 1 AS one`), [{ one: 1 }])
    }).pipe(Effect.scoped)
  )

  it.effect("stops with its parent process, also when that is killed", () =>
    Effect.gen(function* () {
      const options = yield* Initialised
      const { directory } = options
      const other = yield* runElsewhere(options)
      yield* until(() => existsSync(join(directory, "postmaster.pid")) && isAccepting(directory, pidOf(directory)))
      const server = pidOf(directory)
      other.kill("SIGKILL")
      yield* until(() => !isAlive(server))
    }).pipe(Effect.scoped)
  )

  it.effect("starts despite the pid file of a crashed machine, whose process id another process has now", () =>
    Effect.gen(function* () {
      const options = yield* Initialised
      const { directory } = options
      const run = runEmbeddedPostgres(options)
      const pidFile = join(directory, "postmaster.pid")
      const text = yield* Effect.scoped(Effect.map(run, () => readFileSync(pidFile, "utf8")))
      for (const pid of [String(process.pid), "4194303"]) {
        writeFileSync(pidFile, text.replace(/^\d+/, pid), { mode: 0o600 })
        const { gid, uid } = statSync(directory)
        chownSync(pidFile, uid, gid)
        yield* Effect.scoped(run)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("leaves no process when its scope closes, and notices when the server dies", () =>
    Effect.gen(function* () {
      const options = yield* Initialised
      const { directory, port } = options
      const run = runEmbeddedPostgres(options)
      const [server] = yield* Effect.scoped(Effect.map(run, () => [pidOf(directory)]))
      assert.isFalse(isAlive(server ?? 0))
      assert.isTrue(yield* isPortFree(port))

      const { end } = yield* run
      process.kill(pidOf(directory), "SIGKILL")
      assert.strictEqual(yield* end, "signal SIGKILL")
    }).pipe(Effect.scoped)
  )
})
