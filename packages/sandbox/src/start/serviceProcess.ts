import { spawn } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { endOf, stopProcess } from "../childProcess.ts"

const here = dirname(fileURLToPath(import.meta.url))

/** The repository's root. */
export const repositoryRoot = join(here, "..", "..", "..", "..")

/** How one service is run as a process. */
export interface ServiceProcess {
  readonly name: string
  /** The folder of all services. */
  readonly directory: string
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

const spawnService = ({ directory, environment, name, write }: ServiceProcess) => {
  // In a process group of its own, so that the terminal's Ctrl-C reaches the start command alone, which stops the
  // services in order.
  const child = spawn(
    process.execPath,
    ["--import", join(here, "exitWithParent.ts"), join(directory, name, "src", "main.ts")],
    { cwd: repositoryRoot, env: environment, detached: true, stdio: ["ignore", "pipe", "pipe", "ipc"] }
  )
  child.on("error", (error) => write(name, error.message))
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding("utf8").on(
      "data",
      lines((line) => write(name, line))
    )
  }
  return child
}

/** Runs a service until it ends, and says how it ended; stops it when interrupted. */
export const runServiceOnce = (service: ServiceProcess): Effect.Effect<string> =>
  Effect.acquireUseRelease(
    Effect.sync(() => spawnService(service)),
    endOf,
    // With the 2 s that PostgreSQL has after the services, everything is gone within 5 s.
    (child) => stopProcess(child, { ask: "SIGTERM", force: "SIGKILL", afterMillis: 2500 })
  )
