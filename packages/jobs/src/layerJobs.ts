import { Layer } from "effect"
import { JobOffers } from "./JobOffers.ts"
import { JobTakes } from "./JobTakes.ts"
import { type JobTimes, usualTimes } from "./JobTimes.ts"
import { JobWakeUp } from "./JobWakeUp.ts"

/** Provides the job queues of a service with other times, for tests. */
export const layerJobsWith = (times: JobTimes) =>
  Layer.merge(JobOffers.layer, JobTakes.layerWith(times)).pipe(Layer.provideMerge(JobWakeUp.layer))

/**
 * Provides the job queues of a service, which are in its table `jobs`. The instances of the service share the work. A job whose process
 * ended is tried again after 30 seconds, with no other beside it, and is dead-lettered when that has happened three times.
 */
export const layerJobs = layerJobsWith(usualTimes)
