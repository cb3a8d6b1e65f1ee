import type { ChildProcess } from "node:child_process"
import { Effect } from "effect"

const hasEnded = ({ exitCode, pid, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

const describeEnd = ({ exitCode, pid, signalCode, spawnfile }: ChildProcess): string => {
  if (pid === undefined) return `${spawnfile} cannot be run`
  return signalCode === null ? `exit code ${exitCode}` : `signal ${signalCode}`
}

/** Waits until a process has ended, and returns how: `exit code 1`, `signal SIGKILL`. */
export const endOf = (child: ChildProcess): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const answer = () => resume(Effect.succeed(describeEnd(child)))
    if (hasEnded(child)) return answer()
    child.once("exit", answer)
    return Effect.sync(() => child.removeListener("exit", answer))
  })

/** Signals a process to end, and kills it after a timeout. */
export const stopProcess = (
  child: ChildProcess,
  {
    signal: ask,
    forceSignal: force,
    afterMillis
  }: { readonly signal: NodeJS.Signals; readonly forceSignal: NodeJS.Signals; readonly afterMillis: number }
): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (hasEnded(child)) return resume(Effect.void)
    const timer = setTimeout(() => child.kill(force), afterMillis)
    child.once("exit", () => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    child.kill(ask)
  })

/** Kills a process with its group, and waits until it has ended. */
export const killGroup = (child: ChildProcess): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (child.pid === undefined || hasEnded(child)) return Effect.void
    // Windows has no groups.
    if (process.platform === "win32") child.kill("SIGKILL")
    else process.kill(-child.pid, "SIGKILL")
    return Effect.asVoid(endOf(child))
  })
