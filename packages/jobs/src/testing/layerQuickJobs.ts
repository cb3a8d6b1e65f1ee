import { Duration } from "effect"
import { layerJobsWith } from "../layerJobs.ts"

/** Job queues that are looked at every moment, and where what failed is tried again at once. */
export const layerQuickJobs = layerJobsWith({
  lockExpiration: Duration.hours(1),
  lockRefreshInterval: Duration.hours(1),
  pollInterval: Duration.millis(20),
  debounce: Duration.zero,
  firstRetry: Duration.millis(1)
})
