import { readdirSync, readFileSync } from "node:fs"

// Linux counts processor time in hundredths of a second.
const millisPerTick = 10

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

/** Processor time that a process has used so far, in milliseconds. */
export const cpuMillis = ({ pid }: OwnProcess): number => {
  const fields = fieldsOf(pid)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * millisPerTick
}

/** Memory that a process has now (resident set), in MB. */
export const memoryMegabytes = ({ pid }: OwnProcess): number =>
  (Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(pid, "status"))?.[1] ?? 0) * 1024) / 1e6
