import { Cause, type Duration, Effect, Exit, Predicate, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { isUnavailable } from "../http/isUnavailable.ts"
import { safeCause } from "../telemetry/safeCause.ts"
import type { ClaimedJob } from "./JobClaims.ts"
import type { JobsRepo } from "./JobsRepo.ts"
import { jobSetAside, type SetAsideReason } from "./jobSetAside.ts"

/** How a queue is tried again. */
export interface RetryOptions {
  readonly maxAttempts: number
  readonly retryDelay: (attempts: number) => Effect.Effect<Duration.Duration>
}

const longestFailure = 4000

// PostgreSQL stores no null character, and an outcome that cannot be stored would hold its job for ever.
const failureOf = (cause: Cause.Cause<unknown>): string =>
  safeCause(cause).replaceAll("\u0000", "").slice(0, longestFailure)

// What the factory of the library fails with when a payload does not fit the schema of its queue.
const isUnreadable = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      Cause.isFailReason(reason) && Predicate.isTagged(reason.error, "~effect/persistence/PersistedQueue/DeadLetter")
  )

// As long as this process lives its jobs are not taken for dead, so it can wait until the database is there again. What
// the database refuses is left to the lock, which expires.
const persistently = (outcome: Effect.Effect<unknown, SqlError.SqlError>) =>
  outcome.pipe(
    Effect.tapCause((cause) => Effect.logWarning("The outcome of a job is not stored", safeCause(cause))),
    Effect.retry({
      schedule: Schedule.min([Schedule.exponential("200 millis", 1.5), Schedule.spaced("5 seconds")]),
      while: isUnavailable
    }),
    Effect.ignore
  )

/** Stores how the work on a job ended. Only failures count against `maxAttempts`, not the ends of processes. */
export const makeSettleJob = (repo: JobsRepo["Service"]) => {
  const setAside = (job: ClaimedJob, reason: SetAsideReason, failure: string) =>
    Effect.andThen(persistently(repo.setAside(job, failure)), jobSetAside(job.queueName, job.id, reason))

  const settle = (job: ClaimedJob, exit: Exit.Exit<unknown, unknown>, { maxAttempts, retryDelay }: RetryOptions) => {
    if (Exit.isSuccess(exit)) return persistently(repo.complete(job))
    if (Cause.hasInterruptsOnly(exit.cause)) return persistently(repo.release(job))
    if (isUnreadable(exit.cause)) return setAside(job, "unreadable", "Its payload does not fit its queue")
    const failures = job.attempts - job.deaths
    const failure = failureOf(exit.cause)
    return failures < maxAttempts
      ? Effect.flatMap(retryDelay(failures), (delay) => persistently(repo.retry(job, delay, failure)))
      : setAside(job, "failed", failure)
  }
  return { setAside, settle }
}
