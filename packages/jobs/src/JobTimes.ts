import { Duration } from "effect"

/** How the processes that share a queue know of each other's life and death, and when a job is tried again. */
export interface JobTimes {
  /** How long a job is left to its process after the last that was heard of it. */
  readonly lockExpiration: Duration.Duration
  /** How often a process says that it is alive. */
  readonly lockRefreshInterval: Duration.Duration
  /** How often is looked for jobs that are due, and for those whose process ended. */
  readonly pollInterval: Duration.Duration
  /** How long after a look that took all there was the next one is, at the earliest. */
  readonly debounce: Duration.Duration
  /** How long a job waits at most after its first failure. */
  readonly firstRetry: Duration.Duration
}

/** The times of a process that is no test. */
export const usualTimes: JobTimes = {
  lockExpiration: Duration.seconds(30),
  lockRefreshInterval: Duration.seconds(10),
  pollInterval: Duration.seconds(1),
  debounce: Duration.millis(20),
  firstRetry: Duration.seconds(1)
}
