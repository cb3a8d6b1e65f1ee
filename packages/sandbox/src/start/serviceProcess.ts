import { spawn } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bootErrorPrefix } from "@care/service-kit/boot"
import { Effect } from "effect"
import { endOf, stopProcess } from "../childProcess.ts"
import type { ProcessEnd } from "./keepRunning.ts"

const directory = dirname(fileURLToPath(import.meta.url))

export const repositoryRoot = join(directory, "..", "..", "..", "..")

interface ServiceProcess {
  readonly name: string
  /** The file that it runs. */
  readonly program: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Gets every line that the process prints. */
  readonly write: (name: string, line: string) => void
}

const lines = (onLine: (line: string) => void) => {
  let incomplete = ""
  return (text: string) => {
    const parts = (incomplete + text).split("\n")
    incomplete = parts.pop() ?? ""
    parts.forEach(onLine)
  }
}

const spawnService = ({ environment, name, program, write }: ServiceProcess) => {
  // In its own process group, so that Ctrl-C in the terminal reaches only the start command, which stops the services
  // in order.
  const child = spawn(process.execPath, ["--import", join(directory, "exitWithParent.mjs"), program], {
    cwd: repositoryRoot,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"]
  })
  child.on("error", (error) => write(name, error.message))
  let sentence: string | undefined
  const onLine = (line: string) => {
    if (line.startsWith(bootErrorPrefix(name))) sentence = line.slice(bootErrorPrefix(name).length)
    write(name, line)
  }
  for (const output of [child.stdout, child.stderr]) output?.setEncoding("utf8").on("data", lines(onLine))
  const closed = new Promise((resolve) => child.once("close", resolve))
  const end = Effect.gen(function* () {
    const how = yield* endOf(child)
    // The last output may arrive after the process has ended.
    yield* Effect.promise(() => closed).pipe(Effect.timeoutOption("1 second"))
    return { how, sentence }
  })
  return { child, end }
}

/** Runs a service until it ends, and returns how and why. It is stopped when interrupted. */
export const runServiceOnce = (service: ServiceProcess): Effect.Effect<ProcessEnd> =>
  Effect.acquireUseRelease(
    Effect.sync(() => spawnService(service)),
    ({ end }) => end,
    // With PostgreSQL's 2 s after the services, everything has ended within 5 s.
    ({ child }) => stopProcess(child, { signal: "SIGINT", forceSignal: "SIGKILL", afterMillis: 2500 })
  )
