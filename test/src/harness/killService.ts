import { spawnSync } from "node:child_process"
import type { ProcessName } from "@care/sandbox"
import { Effect } from "effect"
import { Suite } from "./Suite.ts"
import { until } from "./until.ts"

// Lists all processes with their environments, which contain the port of each service.
const processes = () => {
  const { stdout } = spawnSync("ps", ["axeww", "-o", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 2 ** 26 })
  return stdout.split("\n").map((line) => {
    const [pid, parent, ...command] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), command }
  })
}

const send = (name: ProcessName, signal: NodeJS.Signals) =>
  Effect.map(Suite, ({ urls }) => {
    const port = `PORT=${new URL(urls[name]).port}`
    const target = processes().find(({ command, parent }) => parent === process.pid && command.includes(port))
    if (target === undefined) throw new Error(`The suite has no process of ${name}`)
    process.kill(target.pid, signal)
  })

/** Kills a process of the suite (SIGKILL), as a machine that runs out of memory does. The suite starts it again. */
export const killService = (name: ProcessName) => send(name, "SIGKILL")

/** Pauses a process of the suite (SIGSTOP), as a machine without a free processor does. */
export const pauseService = (name: ProcessName) => send(name, "SIGSTOP")

/** Resumes a paused process. */
export const resumeService = (name: ProcessName) => send(name, "SIGCONT")

/** Waits until a killed process is ready again. (The gateway's own view of it may be some 200 ms old.) */
export const untilReady = (name: ProcessName) =>
  Effect.flatMap(Suite, ({ urls }) => {
    const ask = () =>
      fetch(`${urls[name]}/health/ready`).then(
        ({ status }) => status,
        () => 0
      )
    return until(Effect.promise(ask), (status) => status === 200)
  })

/** Terminates a process of the suite (SIGTERM), as a container host does. The suite starts it again. */
export const endProcess = (name: ProcessName) => send(name, "SIGTERM")
