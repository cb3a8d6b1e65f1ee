import { Effect, Schedule } from "effect"

/** Repeats a query until its result is done. Fails after three minutes: Stripe's events are compared when they are a minute old. */
export const untilDone = <A, E, R>(query: Effect.Effect<A, E, R>, isDone: (answer: A) => boolean) =>
  Effect.repeat(query, { until: isDone, schedule: Schedule.spaced("200 millis") }).pipe(Effect.timeout("3 minutes"))
