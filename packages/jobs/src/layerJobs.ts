import { Layer } from "effect"
import { JobOffers } from "./JobOffers.ts"
import { JobTakes } from "./JobTakes.ts"
import { type JobTimes, usualTimes } from "./JobTimes.ts"
import { JobWakeUp } from "./JobWakeUp.ts"

/** Provides the job queues of a service with other times, for tests. */
export const layerJobsWith = (times: JobTimes) =>
  Layer.merge(JobOffers.layer, JobTakes.layerWith(times)).pipe(Layer.provideMerge(JobWakeUp.layer))

/** Provides the job queues of a service, which its instances share. A job that has ended three processes is dead-lettered. */
export const layerJobs = layerJobsWith(usualTimes)
