import { Data, type Effect, Metric } from "effect"

const cancelled = Metric.counter("jobs_cancelled_total", {
  description: "Jobs that ended without an effect, because their subject had ended",
  incremental: true
})

/** Counts a job that was cancelled. */
export const countCancelled = (queue: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(cancelled, { queue }), 1)

/** The subject of a job has ended: nothing was done, and it is not tried again. `reason` is for the log, and names nobody. */
export class JobCancelled extends Data.TaggedError("JobCancelled")<{ readonly reason: string }> {}

export const isCancelled = (error: unknown): error is JobCancelled => error instanceof JobCancelled
