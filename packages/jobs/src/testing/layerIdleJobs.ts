import { Layer } from "effect"
import { JobOffers } from "../JobOffers.ts"
import { JobWakeUp } from "../JobWakeUp.ts"

/** Job queues without workers and timers, for tests that move the clock. */
export const layerIdleJobs = JobOffers.layer.pipe(Layer.provide(JobWakeUp.layer))
