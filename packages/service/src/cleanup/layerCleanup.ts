import { layerScheduled } from "@care/jobs"
import { type OldRows, removeOldRows } from "@care/service-kit"

/** Jobs that ended. They are kept for a while because a queue ignores an offer whose key it knows, and dead letters are kept longer. */
export const oldJobs: ReadonlyArray<OldRows> = [
  { table: "jobs", since: "ended_at", age: "7 days", only: { state: "completed" } },
  { table: "jobs", since: "ended_at", age: "7 days", only: { state: "cancelled" } },
  { table: "jobs", since: "ended_at", age: "30 days", only: { state: "failed" } }
]

/** Removes the service's old jobs and other old rows every hour, in one of its instances. */
export const layerCleanup = (oldRows: ReadonlyArray<OldRows>) =>
  layerScheduled({ name: "cleanup", every: "1 hour", perform: removeOldRows([...oldJobs, ...oldRows]) })
