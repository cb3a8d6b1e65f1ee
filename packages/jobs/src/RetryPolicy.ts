import { Duration } from "effect"

/**
 * When a job that failed is tried again, and when it is dead-lettered for the operator. The first retry comes a second after the
 * first failure, and each one after twice as long, up to `longestDelay`; from each delay up to a half is taken off at random,
 * so that jobs which failed together do not come back together.
 */
export interface RetryPolicy {
  readonly longestDelay: Duration.Duration
  /** How often a job is tried at most. */
  readonly attempts: number
  /** For how long a job may have been failing: a try that fails later than that is the last. */
  readonly within: Duration.Duration
}

/** So many tries, for work that soon means nothing any more, or that somebody waits for. */
export const upTo = (attempts: number): RetryPolicy => ({
  longestDelay: Duration.minutes(5),
  attempts,
  within: Duration.infinity
})

/** For what has to arrive, such as news of money, orders and appointments: up to an hour apart, for three days. */
export const forThreeDays: RetryPolicy = {
  longestDelay: Duration.hours(1),
  attempts: Number.POSITIVE_INFINITY,
  within: Duration.days(3)
}

/** For messages to people, who wait for them: up to 5 minutes apart, for three days. */
export const forMessages: RetryPolicy = { ...forThreeDays, longestDelay: Duration.minutes(5) }

interface Tried {
  /** How often its process failed at it, with the try that is under way. */
  readonly failures: number
  /** How long ago the first of its failures was when this try began; 0 on the first try. */
  readonly failingSeconds: number
}

/** Whether a job is dead-lettered when this try fails. */
export const isLastTry = ({ failures, failingSeconds }: Tried, { attempts, within }: RetryPolicy): boolean =>
  failures >= attempts || failingSeconds >= Duration.toSeconds(within)
