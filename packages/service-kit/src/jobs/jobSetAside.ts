import { Effect, Metric } from "effect"

/** Why a job is not tried again: it failed too often, its process ended too often, or its payload is not readable. */
export type SetAsideReason = "failed" | "died" | "unreadable"

const setAside = Metric.counter("jobs_set_aside_total", {
  description: "Jobs that are not tried again, and wait for the operator",
  incremental: true
})

/** Tells the operator of a job that is not tried again: a line in the log, never with its payload, and a metric. */
export const jobSetAside = (queue: string, id: string, reason: SetAsideReason): Effect.Effect<void> =>
  Effect.logError(`A job was set aside: ${reason}`).pipe(
    Effect.annotateLogs({ job: queue, jobId: id }),
    Effect.andThen(Metric.update(Metric.withAttributes(setAside, { queue, reason }), 1))
  )
