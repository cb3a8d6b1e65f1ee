import { isUnavailable, makeBatcher, safeCause } from "@care/service-kit"
import { Cause, Duration, Effect, Exit, Option, Random, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { GivenUp } from "./GivenUp.ts"
import { countCancelled, isCancelled } from "./JobCancelled.ts"
import type { ClaimedJob } from "./JobClaims.ts"
import { makeJobsRepo } from "./JobsRepo.ts"
import { type DeadLetterReason, jobDeadLettered } from "./jobDeadLettered.ts"
import { isLastTry, type RetryPolicy } from "./RetryPolicy.ts"

const longestFailure = 4000

const mostTogether = 100

// PostgreSQL stores no null character, and an outcome that cannot be stored would hold its job for ever.
const failureOf = (cause: Cause.Cause<unknown>): string =>
  safeCause(cause).replaceAll("\u0000", "").slice(0, longestFailure)

/** How long a job waits after so many failures: twice as long each time, less up to a half of it at random. */
export const retryDelay = (
  failures: number,
  first: Duration.Duration,
  { longestDelay }: RetryPolicy
): Effect.Effect<Duration.Duration> =>
  Effect.map(Random.next, (random) =>
    Duration.times(Duration.min(Duration.times(first, 2 ** (failures - 1)), longestDelay), 1 - random / 2)
  )

/** How many tries of a job failed if the one that is under way fails, too. Ends of its process are none. */
export const failuresOf = ({ attempts, crashes }: ClaimedJob): number => attempts - crashes

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

/** Stores how the work on a job ended. Only failures count against its attempts, not the ends of processes. */
export const makeSettleJob = Effect.fnUntraced(function* (firstRetry: Duration.Duration) {
  const repo = yield* makeJobsRepo
  const together = yield* makeBatcher

  // Jobs that end while others are being ended end in one statement.
  const complete = together((jobs: ReadonlyArray<ClaimedJob>) => Effect.as(persistently(repo.complete(jobs)), jobs), {
    atOnce: 1,
    most: mostTogether
  })

  const setAside = (job: ClaimedJob, reason: DeadLetterReason, failure: string) =>
    Effect.andThen(persistently(repo.setAside(job, failure)), jobDeadLettered(job, reason, failure))

  const settle = (job: ClaimedJob, exit: Exit.Exit<unknown, unknown>, retries: RetryPolicy) => {
    if (Exit.isSuccess(exit)) return Effect.asVoid(complete(job))
    if (Option.exists(Cause.findErrorOption(exit.cause), isCancelled)) {
      return Effect.andThen(persistently(repo.cancel(job)), countCancelled(job.queueName))
    }
    if (Cause.hasInterruptsOnly(exit.cause)) return persistently(repo.release(job))
    const failures = failuresOf(job)
    const failure = failureOf(exit.cause)
    const isOver = isLastTry({ ...job, failures }, retries) || Cause.squash(exit.cause) instanceof GivenUp
    return isOver
      ? setAside(job, "failed", failure)
      : Effect.flatMap(retryDelay(failures, firstRetry, retries), (delay) =>
          persistently(repo.retry(job, delay, failure))
        )
  }
  return { setAside, settle }
})
