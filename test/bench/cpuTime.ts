import { readdirSync, readFileSync } from "node:fs"

// Linux counts processor time in hundredths of a second.
const millisPerTick = 10

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** The processes of this machine whose command line holds `part`. */
export const processesOf = (part: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/cmdline`).includes(part))

/** Processor time that processes have used so far, in milliseconds. */
export const cpuMillis = (pids: ReadonlyArray<string>): number =>
  pids.reduce((sum, pid) => {
    const fields = read(`/proc/${pid}/stat`).split(" ")
    return sum + (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * millisPerTick
  }, 0)
