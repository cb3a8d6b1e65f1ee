import { Data, type Effect, Metric } from "effect"

const cancelled = Metric.counter("jobs_cancelled_total", {
  description: "Jobs that were cancelled because their subject had ended",
  incremental: true
})

export const countCancelled = (queue: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(cancelled, { queue }), 1)

/** Cancels the running job, because its subject has ended. It is not tried again. `reason` is logged, and names nobody. */
export class JobCancelled extends Data.TaggedError("JobCancelled")<{ readonly reason: string }> {}

export const isCancelled = (error: unknown): error is JobCancelled => error instanceof JobCancelled
