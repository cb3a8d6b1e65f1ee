import type { OldRows } from "../cleanup/removeOldRows.ts"

/** Jobs that are done, which are kept so that their keys are known when they are offered again, and those set aside. */
export const oldJobs: ReadonlyArray<OldRows> = [
  { table: "jobs", age: "7 days", isOld: (sql, before) => sql`state = 'completed' AND ended_at < ${before}` },
  { table: "jobs", age: "30 days", isOld: (sql, before) => sql`state = 'failed' AND ended_at < ${before}` }
]
