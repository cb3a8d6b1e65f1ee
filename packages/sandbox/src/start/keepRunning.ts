import { StartFailed } from "@care/stand-ins"
import { Clock, Deferred, Effect } from "effect"

const usualRestartMillis = 1000
const longestWaitMillis = 30_000
const calmMillis = 60_000

export interface ProcessEnd {
  /** `exit code 1`, `signal SIGKILL` */
  readonly how: string
  readonly exitCode?: number | null
  /** Why, when it said so. */
  readonly sentence: string | undefined
}

/** A process that has to stay, and whom to tell when it does not. */
export interface Kept<R> {
  readonly name: string
  readonly runOnce: Effect.Effect<ProcessEnd, never, R>
  /** Done when the suite is ready: before, an end is a failure of the start. */
  readonly isReady: Deferred.Deferred<void>
  readonly write: (name: string, line: string) => void
  /** How long it waits at first before it is started again; a second when absent. */
  readonly restartMillis?: number | undefined
}

/**
 * Starts a process again whenever it ends: a second later at first, then after twice as long each time, up to 30 seconds,
 * until it has run for a minute. It never gives up, and so a process that keeps ending does not stop the others. Fails
 * only when the process ends before the suite is ready.
 */
export const keepRunning = Effect.fnUntraced(function* <R>({
  isReady,
  name,
  restartMillis = usualRestartMillis,
  runOnce,
  write
}: Kept<R>) {
  let waitMillis = restartMillis
  while (true) {
    const began = yield* Clock.currentTimeMillis
    const { how, sentence } = yield* runOnce
    if (!(yield* Deferred.isDone(isReady))) {
      return yield* new StartFailed(
        sentence === undefined
          ? { message: `The ${name} process does not start (${how}).`, isInOutput: true }
          : { message: sentence }
      )
    }
    if ((yield* Clock.currentTimeMillis) - began >= calmMillis) waitMillis = restartMillis
    write(name, `ended (${how}), next try in ${waitMillis / 1000} s`)
    yield* Effect.sleep(waitMillis)
    waitMillis = Math.min(waitMillis * 2, longestWaitMillis)
  }
})
