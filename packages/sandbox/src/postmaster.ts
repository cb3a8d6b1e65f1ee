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

/** True when the server with this process id accepts connections. PostgreSQL keeps its state in the file's 8th line. */
export const isAccepting = (directory: string, pid: number): boolean => {
  const lines = pidFileLines(directory)
  return lines[0] === String(pid) && lines[7]?.trim() === "ready"
}

/** Marks a server with the process that runs it, for whoever finds the server later. */
export const ownerParameter = `care.owner=${process.pid}`

const livingOwner = (pid: number): number | undefined => {
  const details = processDetails(pid)
  const [, owner] = /care\.owner=(\d+)/.exec(details?.command ?? "") ?? []
  // A server that outlived its owner has been given another parent.
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
 * Stops a server on this directory that outlived a killed start command, and says whether there was one: it would still
 * own directory and port. Fails when the process that runs the server is alive.
 */
export const stopLeftoverPostgres = Effect.fnUntraced(function* (asked: string) {
  const directory = yield* postgresDirectory(asked)
  const pid = Number(pidFileLines(directory)[0])
  if (!Number.isInteger(pid) || processDetails(pid) === undefined) return false
  if (!isOn(directory, pid)) {
    // Since a crash of the machine somebody else has the id, whom PostgreSQL would take for a running server.
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
