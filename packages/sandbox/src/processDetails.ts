import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

interface ProcessDetails {
  readonly parent: number
  /** The program and its arguments, separated by spaces. */
  readonly command: string
}

// A zombie, whose parent has not waited for it.
const hasEnded = (state: string): boolean => /^[ZX]/.test(state)

const fromProc = (pid: number): ProcessDetails | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the program's name in parentheses, which may contain spaces and parentheses.
    const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    if (hasEnded(state)) return undefined
    return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") }
  } catch {
    return undefined
  }
}

const fromPs = (pid: number): ProcessDetails | undefined => {
  const { stdout } = spawnSync("ps", ["-ww", "-o", "ppid=,stat=,args=", "-p", String(pid)], { encoding: "utf8" })
  const found = /^\s*(\d+)\s+(\S+)\s+(.+)/.exec(stdout ?? "")
  return found === null || hasEnded(found[2] ?? "") ? undefined : { parent: Number(found[1]), command: found[3] ?? "" }
}

/** Returns the parent and command line of a running process; undefined when no process has this id. */
export const processDetails = (pid: number): ProcessDetails | undefined =>
  process.platform === "linux" ? fromProc(pid) : fromPs(pid)
