import { Deferred, Effect } from "effect"
import { StartFailed } from "./StartFailed.ts"

const restartsPerMinute = 5

/** A process that has to stay, and whom to tell when it does not. */
export interface Kept<E, R> {
  readonly name: string
  /** Runs it until it ends, and says how it ended. */
  readonly runOnce: Effect.Effect<string, E, R>
  /** Done when the suite is ready: before, an end is a failure of the start. */
  readonly isReady: Deferred.Deferred<void>
  readonly write: (name: string, line: string) => void
}

/** Starts a process again a second after it ended, at most five times a minute. */
export const keepRunning = Effect.fnUntraced(function* <E, R>({ isReady, name, runOnce, write }: Kept<E, R>) {
  const ends: Array<number> = []
  while (true) {
    const end = yield* runOnce
    if (!(yield* Deferred.isDone(isReady))) {
      return yield* new StartFailed({ message: `The ${name} process does not start (${end}).` })
    }
    const now = performance.now()
    ends.push(now)
    if (ends.filter((at) => now - at < 60_000).length > restartsPerMinute) {
      return yield* new StartFailed({ message: `The ${name} process keeps ending (${end}).` })
    }
    write(name, `ended (${end}), starting again in a second`)
    yield* Effect.sleep("1 second")
  }
})
