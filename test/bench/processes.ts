import { readdirSync, readFileSync } from "node:fs"
import type pg from "pg"

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}

// Returns the fields of `stat` after the name of the program, which may contain any character.
const fieldsOf = (pid: string): ReadonlyArray<string> => {
  const stat = read(pid, "stat")
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}

/** A process that this one started. */
export interface OwnProcess {
  readonly name: string
  readonly pid: string
}

/** Returns the child processes whose program file matches a pattern, with the name in it. */
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

/** Returns the processes of the PostgreSQL behind a connection: those of the other connections, and its background processes. */
export const postgresProcesses = async (database: pg.ClientBase): Promise<ReadonlyArray<OwnProcess>> => {
  const { rows } = await database.query("SELECT pg_backend_pid()::text AS pid")
  const ownPid = rows[0].pid
  const server = fieldsOf(ownPid)[1]
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && pid !== ownPid && fieldsOf(pid)[1] === server)
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
 * Returns the processor time of a process so far in milliseconds, from the scheduler's statistics of its threads. (The times in `stat` are
 * sampled by ticks, and those of Node.js are updated irregularly.)
 */
export const cpuMillis = ({ pid }: OwnProcess): number =>
  threadsOf(pid).reduce((sum, thread) => sum + Number(read(pid, `task/${thread}/schedstat`).split(" ")[0]) / 1e6, 0)

/** Begins to count the processor time of processes. Returns a function that returns the milliseconds since then, without ended processes. */
export const startCounting = (processes: ReadonlyArray<OwnProcess>): (() => number) => {
  const startTimes = processes.map((process) => ({ process, millis: cpuMillis(process) }))
  return () => startTimes.reduce((sum, { millis, process }) => sum + Math.max(0, cpuMillis(process) - millis), 0)
}

/** Memory that a process has now (resident set), in MB. */
export const memoryMegabytes = ({ pid }: OwnProcess): number =>
  (Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(pid, "status"))?.[1] ?? 0) * 1024) / 1e6
