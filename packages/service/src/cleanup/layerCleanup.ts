import { layerScheduled } from "@care/jobs"
import { oldIdempotencyKeys } from "@care/once"
import { type OldRows, removeOldRows } from "@care/service-kit"

/** Old rows of every service. Jobs that ended are kept for a while, because a queue ignores an offer whose key it knows. */
export const commonOldRows: ReadonlyArray<OldRows> = [
  { table: "jobs", key: ["id"], since: "ended_at", age: "7 days", only: { state: "completed" } },
  { table: "jobs", key: ["id"], since: "ended_at", age: "7 days", only: { state: "cancelled" } },
  { table: "jobs", key: ["id"], since: "ended_at", age: "30 days", only: { state: "failed" } },
  oldIdempotencyKeys
]

/** Removes the old rows of a service every hour, in one of its instances. */
export const layerCleanup = (oldRows: ReadonlyArray<OldRows>) =>
  layerScheduled({ name: "cleanup", every: "1 hour", perform: removeOldRows([...commonOldRows, ...oldRows]) })
