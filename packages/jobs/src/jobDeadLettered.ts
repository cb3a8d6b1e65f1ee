import { Effect, Metric } from "effect"

/** Why a job is not tried again: it failed too often, its process ended too often, or its payload is not readable. */
export type DeadLetterReason = "failed" | "died" | "unreadable"

/** Which job it is, and whose request caused it. */
interface NamedJob {
  readonly id: string
  readonly queueName: string
  readonly requestId: string
}

const setAside = Metric.counter("jobs_dead_lettered_total", {
  description: "Jobs that are not tried again, and wait for the operator",
  incremental: true
})

/** What the lines in the log that tell of a job are found by. Never its payload. */
export const jobAnnotations = ({ id, queueName, requestId }: NamedJob) => ({ job: queueName, jobId: id, requestId })

/** Tells the operator of a job that is not tried again: a line in the log, and a metric. */
export const jobDeadLettered = (job: NamedJob, reason: DeadLetterReason, failure: string): Effect.Effect<void> =>
  Effect.logError(`A job was dead-lettered: ${reason}`, failure).pipe(
    Effect.annotateLogs(jobAnnotations(job)),
    Effect.andThen(Metric.update(Metric.withAttributes(setAside, { queue: job.queueName, reason }), 1))
  )
