import { Layer } from "effect"
import { JobOffers } from "./JobOffers.ts"
import { JobTakes } from "./JobTakes.ts"
import { type JobTimes, usualTimes } from "./JobTimes.ts"
import { JobWakeUp } from "./JobWakeUp.ts"

/** The job queues of a service, with the times given, which tests change. */
export const layerJobsWith = (times: JobTimes) =>
  Layer.merge(JobOffers.layer, JobTakes.layerWith(times)).pipe(Layer.provideMerge(JobWakeUp.layer))

/**
 * The job queues of a service, in its table `jobs`. Several instances share the work; a job
 * whose process ended is taken again after 30 seconds, alone, and dead-lettered when that happened three times.
 */
export const layerJobs = layerJobsWith(usualTimes)
