import { Layer } from "effect"
import { removeOldRows } from "../cleanup/removeOldRows.ts"
import { JobNews } from "./JobNews.ts"
import { JobOffers } from "./JobOffers.ts"
import { JobTakes } from "./JobTakes.ts"
import { type JobTimes, usualTimes } from "./JobTimes.ts"
import { layerScheduled } from "./layerScheduled.ts"
import { oldJobs } from "./oldJobs.ts"

const layerOldJobs = layerScheduled({ name: "jobs-cleanup", every: "1 hour", perform: removeOldRows(oldJobs) })

/** The job queues of a service, with the times given, which tests change. */
export const layerJobsWith = (times: JobTimes) =>
  layerOldJobs.pipe(
    Layer.provideMerge(Layer.merge(JobOffers.layer, JobTakes.layerWith(times))),
    Layer.provideMerge(JobNews.layer)
  )

/**
 * The job queues of a service, in the table that the migration `createJobs` makes. Several instances share the work; a job
 * whose process ended is taken again after 30 seconds, alone, and set aside when that happened three times.
 */
export const layerJobs = layerJobsWith(usualTimes)
