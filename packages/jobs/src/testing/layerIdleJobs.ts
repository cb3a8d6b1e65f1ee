import { Layer } from "effect"
import { JobOffers } from "../JobOffers.ts"
import { JobWakeUp } from "../JobWakeUp.ts"

/** Job queues of the database that nobody works off, for tests that have the time jump. */
export const layerIdleJobs = JobOffers.layer.pipe(Layer.provide(JobWakeUp.layer))
