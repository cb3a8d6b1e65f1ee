import { Duration } from "effect"

/** The times of the queues. All processes that share a queue have the same. */
export interface JobTimes {
  /** How long after its last refresh the lock of a job expires. */
  readonly lockExpiration: Duration.Duration
  readonly lockRefreshInterval: Duration.Duration
  /** How often a process looks for jobs that are due, and for expired locks. */
  readonly pollInterval: Duration.Duration
  /** The least time between a claim that found fewer jobs than wanted and the next claim. */
  readonly debounce: Duration.Duration
  /** The longest for which the claims of a crowded queue share a list of its organizations. */
  readonly waitingLasts: Duration.Duration
  /** The longest delay after the first failure. Later delays double. */
  readonly firstRetry: Duration.Duration
}

export const usualTimes: JobTimes = {
  lockExpiration: Duration.seconds(15),
  lockRefreshInterval: Duration.seconds(5),
  pollInterval: Duration.seconds(1),
  debounce: Duration.millis(20),
  waitingLasts: Duration.millis(100),
  firstRetry: Duration.seconds(1)
}
