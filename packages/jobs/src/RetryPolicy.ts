import { Duration } from "effect"
import type { ClaimedJob } from "./JobClaims.ts"

/**
 * The retries of a job until it is dead-lettered. The first comes at most a second after the first failure, and delays double up to
 * `longestDelay`. Up to half of each delay is taken off at random, so that jobs that failed together are not retried together.
 */
export interface RetryPolicy {
  readonly longestDelay: Duration.Duration
  readonly attempts: number
  /** How long after its first failure a job is tried again. */
  readonly within: Duration.Duration
}

/** Returns a policy with a number of attempts, for work that soon becomes useless, or for which a caller waits. */
export const upTo = (attempts: number): RetryPolicy => ({
  longestDelay: Duration.minutes(5),
  attempts,
  within: Duration.infinity
})

/** For changes that must not get lost, such as those of payments, orders and appointments: up to an hour apart, for three days. */
export const forThreeDays: RetryPolicy = {
  longestDelay: Duration.hours(1),
  attempts: Number.POSITIVE_INFINITY,
  within: Duration.days(3)
}

/** For messages to people, who wait for them: up to 5 minutes apart, for three days. */
export const forMessages: RetryPolicy = { ...forThreeDays, longestDelay: Duration.minutes(5) }

/** How many attempts of a job failed if the current one fails. Attempts that ended with their process do not count. */
export const failuresOf = ({ attempts, crashes }: Pick<ClaimedJob, "attempts" | "crashes">): number =>
  attempts - crashes

/** Whether a job is dead-lettered if this attempt fails. */
export const isLastTry = (job: ClaimedJob, { attempts, within }: RetryPolicy): boolean =>
  failuresOf(job) >= attempts || job.failingSeconds >= Duration.toSeconds(within)
