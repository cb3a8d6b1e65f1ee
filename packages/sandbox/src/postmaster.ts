import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { EmbeddedPostgresFailed } from "./EmbeddedPostgresFailed.ts"
import { postgresDirectory } from "./postgresDirectory.ts"
import { processDetails } from "./processDetails.ts"

const pidFile = (directory: string) => join(directory, "postmaster.pid")

const pidFileLines = (directory: string): ReadonlyArray<string> =>
  existsSync(pidFile(directory)) ? readFileSync(pidFile(directory), "utf8").split("\n") : []

const isOn = (directory: string, pid: number): boolean =>
  processDetails(pid)?.command.includes(`-D ${directory} `) === true

/** Returns whether the server with this process id accepts connections. The file's 8th line is PostgreSQL's state. */
export const isAccepting = (directory: string, pid: number): boolean => {
  const lines = pidFileLines(directory)
  return lines[0] === String(pid) && lines[7]?.trim() === "ready"
}

/** Marks a server with the process that runs it. */
export const ownerParameter = `care.owner=${process.pid}`

const livingOwner = (pid: number): number | undefined => {
  const details = processDetails(pid)
  const [, owner] = /care\.owner=(\d+)/.exec(details?.command ?? "") ?? []
  // A server that outlived its owner has another parent.
  return details !== undefined && Number(owner) === details.parent ? details.parent : undefined
}

const stop = Effect.fnUntraced(function* (pid: number) {
  process.kill(pid, "SIGINT")
  for (let waited = 0; waited < 100 && processDetails(pid) !== undefined; waited += 1) {
    if (waited === 60) process.kill(pid, "SIGQUIT")
    yield* Effect.sleep("50 millis")
  }
})

/**
 * Stops a server on this directory that outlived a killed start command, and returns whether there was one: it would
 * keep the directory and the port. Fails when the owner is alive.
 */
export const stopLeftoverPostgres = Effect.fnUntraced(function* (requestedDirectory: string) {
  const directory = yield* postgresDirectory(requestedDirectory)
  const pid = Number(pidFileLines(directory)[0])
  if (!Number.isInteger(pid) || processDetails(pid) === undefined) return false
  if (!isOn(directory, pid)) {
    // After a crash of the machine another process may have the id, which PostgreSQL would take for a running server.
    rmSync(pidFile(directory), { force: true })
    return false
  }
  const owner = livingOwner(pid)
  if (owner !== undefined) {
    return yield* new EmbeddedPostgresFailed({
      message: `The database in ${directory} is in use by process ${owner}: stop that one, or use another data directory (CARE_DATA_DIR).`
    })
  }
  yield* stop(pid)
  return true
})
