import { setTimeout } from "node:timers/promises"
import { Effect } from "effect"

// Asked without a pause, what is waited for would have the processors to share with those who ask. Of real time, because a
// test's own clock may stand still.
const pause = Effect.promise(() => setTimeout(5))

/** Asks again and again until the answer is so. */
export const until = <A, E, R>(ask: Effect.Effect<A, E, R>, isSo: (answer: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.flatMap(ask, (answer) => (isSo(answer) ? Effect.succeed(answer) : Effect.andThen(pause, until(ask, isSo))))
