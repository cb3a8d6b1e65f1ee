import { spawnSync } from "node:child_process"
import { Effect } from "effect"

const processes = () => {
  const { stdout } = spawnSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
  return stdout.split("\n").map((line) => {
    const [pid, parent, ...command] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), command: command.join(" ") }
  })
}

/** Kills a service of this test's suite at once, as a machine that runs out of memory does. The suite starts it again. */
export const killService = (name: string) =>
  Effect.sync(() => {
    const isService = (command: string) => command.includes(`/services/${name}/src/main.ts`)
    const found = processes().find(({ command, parent }) => parent === process.pid && isService(command))
    if (found === undefined) throw new Error(`The suite has no process of ${name}`)
    process.kill(found.pid, "SIGKILL")
  })
