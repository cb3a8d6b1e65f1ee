import { setTimeout } from "node:timers/promises"
import { Effect } from "effect"

// Leaves the processors to the awaited work. In real time, because the clock of a test may stand still.
const pause = Effect.promise(() => setTimeout(5))

/** Repeats an effect until its result satisfies a condition. */
export const until = <A, E, R>(ask: Effect.Effect<A, E, R>, isSo: (answer: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.flatMap(ask, (answer) => (isSo(answer) ? Effect.succeed(answer) : Effect.andThen(pause, until(ask, isSo))))
