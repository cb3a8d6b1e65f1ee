import { type ChildProcess, spawn } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Deferred, Effect } from "effect"
import { StartFailed } from "./StartFailed.ts"

const here = dirname(fileURLToPath(import.meta.url))

/** The repository's root. */
export const repositoryRoot = join(here, "..", "..", "..", "..")

/** How one service is run as a process. */
export interface ServiceProcess {
  readonly name: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Gets every line that the process writes. */
  readonly write: (name: string, line: string) => void
}

const lines = (onLine: (line: string) => void) => {
  let rest = ""
  return (text: string) => {
    const parts = (rest + text).split("\n")
    rest = parts.pop() ?? ""
    parts.forEach(onLine)
  }
}

const stopMillis = 4000

const stop = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    const timer = setTimeout(() => child.kill("SIGKILL"), stopMillis)
    child.once("exit", () => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    child.kill("SIGTERM")
  })

const start = ({ environment, name, write }: ServiceProcess) =>
  Effect.sync(() => {
    // In a process group of its own, so that the terminal's Ctrl-C reaches the start command alone, which stops the
    // services in order.
    const child = spawn(
      process.execPath,
      ["--import", join(here, "exitWithParent.ts"), join(repositoryRoot, "services", name, "src", "main.ts")],
      { cwd: repositoryRoot, env: environment, detached: true, stdio: ["ignore", "pipe", "pipe", "ipc"] }
    )
    child.stdout?.setEncoding("utf8").on(
      "data",
      lines((line) => write(name, line))
    )
    child.stderr?.setEncoding("utf8").on(
      "data",
      lines((line) => write(name, line))
    )
    return child
  })

/** Runs a service until it exits, and answers its exit code; stops it when interrupted. */
const runOnce = (service: ServiceProcess) =>
  Effect.acquireUseRelease(
    start(service),
    (child) =>
      Effect.callback<number>((resume) => {
        if (child.exitCode !== null) return resume(Effect.succeed(child.exitCode))
        child.once("exit", (code) => resume(Effect.succeed(code ?? 1)))
      }),
    stop
  )

const restartsPerMinute = 5

/**
 * Keeps a service running. Before `isReady` its exit is a failure of the start; afterwards it is started again after a
 * second, at most five times a minute.
 */
export const runService = Effect.fnUntraced(function* (service: ServiceProcess, isReady: Deferred.Deferred<void>) {
  const restarts: Array<number> = []
  while (true) {
    const code = yield* runOnce(service)
    if (!(yield* Deferred.isDone(isReady))) {
      return yield* new StartFailed({ message: `The ${service.name} service does not start (exit code ${code}).` })
    }
    const now = performance.now()
    restarts.push(now)
    if (restarts.filter((at) => now - at < 60_000).length > restartsPerMinute) {
      return yield* new StartFailed({ message: `The ${service.name} service keeps failing (exit code ${code}).` })
    }
    service.write(service.name, `exited with code ${code}, starting again in a second`)
    yield* Effect.sleep("1 second")
  }
})
