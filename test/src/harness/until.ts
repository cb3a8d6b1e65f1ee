import { Effect, Schedule } from "effect"

// Asked without a pause, what is waited for would have the processors to share with those who ask: the more so the longer.
const pause = Schedule.min([Schedule.exponential("5 millis", 1.3), Schedule.spaced("40 millis")])

/** Asks again and again until the answer is so; fails after 30 seconds. */
export const until = <A, E, R>(ask: Effect.Effect<A, E, R>, isSo: (answer: A) => boolean) =>
  Effect.repeat(ask, { until: isSo, schedule: pause }).pipe(Effect.timeout("30 seconds"))
