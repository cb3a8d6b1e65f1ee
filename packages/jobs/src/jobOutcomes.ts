import { Clock, Data, Effect, Metric } from "effect"
import type { ClaimedJob } from "./JobClaims.ts"

const cancelled = Metric.counter("jobs_cancelled_total", {
  description: "Jobs that were cancelled because their subject had ended",
  incremental: true
})

export const countCancelled = (queue: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(cancelled, { queue }), 1)

const startDelay = Metric.histogram("jobs_start_delay_seconds", {
  description: "Time from when an attempt at a job is due to its start",
  boundaries: [0.1, 1, 5, 15, 30, 60, 300, 1800]
})

/** Records that an attempt at a job of a queue starts now. */
export const countStarted = (
  queue: string,
  { aheadMillis, dueAt }: Pick<ClaimedJob, "aheadMillis" | "dueAt">
): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Metric.update(
      Metric.withAttributes(startDelay, { mode: aheadMillis === null ? "live" : "test", queue }),
      Math.max(0, now - dueAt.getTime()) / 1000
    )
  )

/** Cancels the running job, because its subject has ended. It is not tried again. `reason` is logged, and has no data of a person. */
export class JobCancelled extends Data.TaggedError("JobCancelled")<{ readonly reason: string }> {}

export const isCancelled = (error: unknown): error is JobCancelled => error instanceof JobCancelled

/** Fails a job that retries cannot help: it is dead-lettered at once. `reason` quotes nothing of the payload. */
export class GivenUp extends Data.TaggedError("GivenUp")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** Why a job is dead-lettered: it failed too often, its process ended too often, or its payload cannot be read. */
export type DeadLetterReason = "failed" | "died" | "unreadable"

interface NamedJob {
  readonly id: string
  readonly queueName: string
  readonly requestId: string
}

const deadLettered = Metric.counter("jobs_dead_lettered_total", {
  description: "Jobs that are not tried again until an operator repeats them",
  incremental: true
})

/** Returns the log annotations of a job. They never have its payload. */
export const jobAnnotations = ({ id, queueName, requestId }: NamedJob) => ({ job: queueName, jobId: id, requestId })

export const jobDeadLettered = (job: NamedJob, reason: DeadLetterReason, failure: string): Effect.Effect<void> =>
  Effect.logError(`A job was dead-lettered: ${reason}`, failure).pipe(
    Effect.annotateLogs(jobAnnotations(job)),
    Effect.andThen(Metric.update(Metric.withAttributes(deadLettered, { queue: job.queueName, reason }), 1))
  )
