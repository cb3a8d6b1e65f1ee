import type { OldRows } from "@care/service-kit"

/** Jobs that are done or cancelled, kept so that their keys are known when they are offered again, and those set aside. */
export const oldJobs: ReadonlyArray<OldRows> = [
  { table: "jobs", since: "ended_at", age: "7 days", only: { state: "completed" } },
  { table: "jobs", since: "ended_at", age: "7 days", only: { state: "cancelled" } },
  { table: "jobs", since: "ended_at", age: "30 days", only: { state: "failed" } }
]
