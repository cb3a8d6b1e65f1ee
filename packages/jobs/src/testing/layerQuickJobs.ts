import { Duration } from "effect"
import { layerJobsWith } from "../layerJobs.ts"

/** Job queues that poll all the time, and retry failures at once. */
export const layerQuickJobs = layerJobsWith({
  lockExpiration: Duration.hours(1),
  lockRefreshInterval: Duration.hours(1),
  pollInterval: Duration.millis(20),
  debounce: Duration.zero,
  firstRetry: Duration.millis(1)
})
