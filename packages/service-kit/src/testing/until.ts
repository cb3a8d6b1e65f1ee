import { setTimeout } from "node:timers/promises"
import { Effect } from "effect"

// Leaves the processors to the awaited work. It is real time, because the clock of a test may stand still.
const pause = Effect.promise(() => setTimeout(5))

/** Repeats an effect until its result satisfies a condition. */
export const until = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  isDone: (result: A) => boolean
): Effect.Effect<A, E, R> =>
  Effect.flatMap(effect, (result) =>
    isDone(result) ? Effect.succeed(result) : Effect.andThen(pause, until(effect, isDone))
  )
