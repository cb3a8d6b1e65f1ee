import { spawnSync } from "node:child_process"
import type { ServiceName } from "@care/domain/peers"
import type { ProcessName } from "@care/sandbox"
import { Effect } from "effect"
import { Suite } from "./Suite.ts"
import { until } from "./until.ts"

// With their environments, which say which port is whose.
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
    const found = processes().find(({ command, parent }) => parent === process.pid && command.includes(port))
    if (found === undefined) throw new Error(`The suite has no process of ${name}`)
    process.kill(found.pid, signal)
  })

/** Kills a service of this test's suite at once, as a machine that runs out of memory does. The suite starts it again. */
export const killService = (name: ServiceName) => send(name, "SIGKILL")

/** Stops a service of this test's suite where it is, as a machine without a free processor does. */
export const pauseService = (name: ServiceName) => send(name, "SIGSTOP")

/** Lets a service go on that was stopped. */
export const resumeService = (name: ServiceName) => send(name, "SIGCONT")

/** Waits until a service that was killed is there again. (What the gateway says of it may be some 200 ms old.) */
export const untilReady = (name: ServiceName) =>
  Effect.flatMap(Suite, ({ urls }) => {
    const ask = () =>
      fetch(`${urls[name]}/health/ready`).then(
        ({ status }) => status,
        () => 0
      )
    return until(Effect.promise(ask), (status) => status === 200)
  })

/** Asks a process of this test's suite to end, as a container's host does. The suite starts it again. */
export const endProcess = (name: ProcessName) => send(name, "SIGTERM")
