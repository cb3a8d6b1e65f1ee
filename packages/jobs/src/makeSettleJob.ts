import { isUnavailable, makeBatcher, safeCause } from "@care/service-kit"
import { Cause, Duration, Effect, Exit, Option, Random, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import type { ClaimedJob } from "./JobClaims.ts"
import { makeJobsRepo } from "./JobsRepo.ts"
import { countCancelled, type DeadLetterReason, GivenUp, isCancelled, jobDeadLettered } from "./jobOutcomes.ts"
import { failuresOf, isLastTry, type RetryPolicy } from "./RetryPolicy.ts"

const maxFailureLength = 4000

const maxCompletionsAtOnce = 100

// PostgreSQL stores no null character, and a job whose outcome cannot be stored would never end.
const failureOf = (cause: Cause.Cause<unknown>): string =>
  safeCause(cause).replaceAll("\u0000", "").slice(0, maxFailureLength)

/**
 * Returns the delay after the failures of a job. It doubles each time, and up to half of it is taken off at random. Not in a sandbox: its
 * clock would stop at each of the jobs that failed together.
 */
export const jobRetryDelay = (
  job: Pick<ClaimedJob, "attempts" | "crashes" | "aheadMillis">,
  first: Duration.Duration,
  { longestDelay }: RetryPolicy
): Effect.Effect<Duration.Duration> => {
  const delay = Duration.min(Duration.times(first, 2 ** (failuresOf(job) - 1)), longestDelay)
  return job.aheadMillis === null
    ? Effect.map(Random.next, (random) => Duration.times(delay, 1 - random / 2))
    : Effect.succeed(delay)
}

// Stores an outcome, and tries again while the database is unavailable: a living process keeps its jobs. If the database refuses the
// outcome, the job is tried again when its lock expires.
const persistently = (outcome: Effect.Effect<unknown, SqlError.SqlError>) =>
  outcome.pipe(
    Effect.tapCause((cause) => Effect.logWarning("The outcome of a job cannot be stored", safeCause(cause))),
    Effect.retry({
      schedule: Schedule.min([Schedule.exponential("200 millis", 1.5), Schedule.spaced("5 seconds")]),
      while: isUnavailable
    }),
    Effect.ignore
  )

/** Makes the functions that store the outcome of a job: it is completed, cancelled, released, retried or dead-lettered. */
export const makeSettleJob = Effect.fnUntraced(function* (firstRetry: Duration.Duration) {
  const repo = yield* makeJobsRepo
  const batch = yield* makeBatcher

  // Jobs that end while a statement completes others share the next statement.
  const complete = batch((jobs: ReadonlyArray<ClaimedJob>) => Effect.as(persistently(repo.complete(jobs)), jobs), {
    concurrency: 1,
    maxBatchSize: maxCompletionsAtOnce
  })

  const deadLetter = (job: ClaimedJob, reason: DeadLetterReason, failure: string) =>
    Effect.andThen(persistently(repo.deadLetter(job, failure)), jobDeadLettered(job, reason, failure))

  const settle = (job: ClaimedJob, exit: Exit.Exit<unknown, unknown>, retries: RetryPolicy) => {
    if (Exit.isSuccess(exit)) return Effect.asVoid(complete(job))
    if (Option.exists(Cause.findErrorOption(exit.cause), isCancelled)) {
      return Effect.andThen(persistently(repo.cancel(job)), countCancelled(job.queueName))
    }
    if (Cause.hasInterruptsOnly(exit.cause)) return persistently(repo.release(job))
    const failure = failureOf(exit.cause)
    const isOver = isLastTry(job, retries) || Cause.squash(exit.cause) instanceof GivenUp
    return isOver
      ? deadLetter(job, "failed", failure)
      : Effect.flatMap(jobRetryDelay(job, firstRetry, retries), (delay) =>
          persistently(repo.retry(job, delay, failure))
        )
  }
  return { deadLetter, settle }
})
