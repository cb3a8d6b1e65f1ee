import { StartFailed } from "@care/stand-ins"
import { Clock, Deferred, Effect } from "effect"

const usualRestartMillis = 1000
const longestWaitMillis = 30_000
const calmMillis = 60_000

export interface ProcessEnd {
  /** `exit code 1`, `signal SIGKILL` */
  readonly how: string
  /** The reason that the process printed, if any. */
  readonly sentence: string | undefined
}

/** A process to keep running, and the observers of its ends. */
export interface Kept<R> {
  readonly name: string
  readonly runOnce: Effect.Effect<ProcessEnd, never, R>
  /** Done when the suite is ready. Before that an end fails the start. */
  readonly isReady: Deferred.Deferred<void>
  readonly write: (name: string, line: string) => void
  /** The first wait before a restart; a second by default. */
  readonly restartMillis?: number | undefined
}

/**
 * Restarts a process whenever it ends: after a second, then twice as long each time, up to 30 seconds, until it has run
 * for a minute. It never gives up, so that one failing process does not stop the others. Fails only when the process
 * ends before the suite is ready.
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
