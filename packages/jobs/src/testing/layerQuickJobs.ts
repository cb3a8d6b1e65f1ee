import { Duration } from "effect"
import type { JobTimes } from "../JobTimes.ts"
import { layerJobsWith } from "../layerJobs.ts"

/** Polls all the time, retries immediately, and keeps locks as long as a test runs. */
export const quickTimes: JobTimes = {
  lockExpiration: Duration.hours(1),
  lockRefreshInterval: Duration.hours(1),
  pollInterval: Duration.millis(20),
  debounce: Duration.zero,
  waitingLasts: Duration.zero,
  firstRetry: Duration.millis(1)
}

export const layerQuickJobs = layerJobsWith(quickTimes)
