import { readdirSync, readFileSync } from "node:fs"
import type pg from "pg"

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}

// What follows the name of the program, which may have anything in it.
const fieldsOf = (pid: string): ReadonlyArray<string> => {
  const stat = read(pid, "stat")
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}

/** A process that this one started. */
export interface OwnProcess {
  readonly name: string
  readonly pid: string
}

/** The processes that this one started from a file that is like this, with the name that is in it. */
const startedFrom = (file: RegExp): ReadonlyArray<OwnProcess> =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && fieldsOf(pid)[1] === String(process.pid))
    .flatMap((pid) => {
      const [name] = read(pid, "cmdline")
        .split("\0")
        .flatMap((part) => file.exec(part)?.[1] ?? [])
      return name === undefined ? [] : [{ name, pid }]
    })

/** The processes of the suite: gateway and services. */
export const suiteProcesses = () => startedFrom(/\/(?:services|programs)\/(\w+)(?:\/src\/main\.ts|\.mjs)$/)

/** The processes of the peer. */
export const peerProcesses = () =>
  startedFrom(/\/bench\/peer\/(\w+)\.ts$/).map(({ name, pid }) => ({ name: `peer ${name}`, pid }))

/** The processes of the PostgreSQL that a connection leads to: those of all other connections, and what it does by itself. */
export const postgresProcesses = async (database: pg.ClientBase): Promise<ReadonlyArray<OwnProcess>> => {
  const { rows } = await database.query("SELECT pg_backend_pid()::text AS pid")
  const own = rows[0].pid
  const server = fieldsOf(own)[1]
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && pid !== own && fieldsOf(pid)[1] === server)
    .map((pid) => ({ name: "postgres", pid }))
}

const threadsOf = (pid: string): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/**
 * Processor time that a process has used so far, in milliseconds: what the scheduler gave to its threads. (The times of
 * `stat` are counted by whom a tick hits, and those of Node.js come at times of their own.)
 */
export const cpuMillis = ({ pid }: OwnProcess): number =>
  threadsOf(pid).reduce((sum, thread) => sum + Number(read(pid, `task/${thread}/schedstat`).split(" ")[0]) / 1e6, 0)

/** Begins to count the processor time of some processes: what they used since, in milliseconds. Of one that ended meanwhile nothing is known. */
export const startCounting = (processes: ReadonlyArray<OwnProcess>): (() => number) => {
  const begun = processes.map((process) => ({ process, millis: cpuMillis(process) }))
  return () => begun.reduce((sum, { millis, process }) => sum + Math.max(0, cpuMillis(process) - millis), 0)
}

/** Memory that a process has now (resident set), in MB. */
export const memoryMegabytes = ({ pid }: OwnProcess): number =>
  (Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(pid, "status"))?.[1] ?? 0) * 1024) / 1e6
