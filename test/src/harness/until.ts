import { Effect, Schedule } from "effect"

// Growing pauses, so that polling does not take processor time from the work that is waited for.
const pause = Schedule.min([Schedule.exponential("5 millis", 1.3), Schedule.spaced("40 millis")])

/** Repeats a query until its result is done. Fails after 30 seconds. */
export const until = <A, E, R>(query: Effect.Effect<A, E, R>, isDone: (answer: A) => boolean) =>
  Effect.repeat(query, { until: isDone, schedule: pause }).pipe(Effect.timeout("30 seconds"))
