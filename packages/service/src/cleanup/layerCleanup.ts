import { layerScheduled, oldJobs } from "@care/jobs"
import { type OldRows, removeOldRows } from "@care/service-kit"

/** Removes old jobs and other old rows of a service every hour, once however many instances there are. */
export const layerCleanup = (oldRows: ReadonlyArray<OldRows>) =>
  layerScheduled({ name: "cleanup", every: "1 hour", perform: removeOldRows([...oldJobs, ...oldRows]) })
