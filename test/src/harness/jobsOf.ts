import { services } from "@care/sandbox"
import { DateTime, Effect } from "effect"
import { inDatabase } from "./database.ts"
import type { Clinic } from "./fixtures.ts"
import { until } from "./until.ts"

/** A job as it is stored, less what it carries. */
export interface JobRow {
  readonly queue: string
  readonly state: string
  readonly attempts: number
  readonly crashes: number
}

/** The jobs of an organization at all services, but those that are for minutes later. */
export const jobsOf = ({ organizationId }: Clinic) =>
  inDatabase((sql) =>
    Effect.forEach(
      services,
      (service) => sql<JobRow>`
        SELECT queue_name AS queue, state, attempts, crashes FROM ${sql(service)}.jobs
        WHERE organization_id = ${organizationId} AND NOT (attempts = 0 AND due_at > created_at + interval '1 minute')
      `
    ).pipe(Effect.map((jobs) => jobs.flat()))
  )

/** Whether all of the jobs are done, or given up. */
export const allEnded = (jobs: ReadonlyArray<JobRow>) =>
  jobs.every(({ state }) => /completed|failed|cancelled/.test(state))

// Those that are there for when something was not done at once, or that were tried while a service was away, wait for seconds.
const hurry = ({ organizationId }: Clinic) =>
  inDatabase((sql) =>
    Effect.forEach(
      services,
      (service) => sql`
        UPDATE ${sql(service)}.jobs SET due_at = now()
        WHERE organization_id = ${organizationId} AND state = 'pending' AND due_at > now()
          AND NOT (attempts = 0 AND due_at > created_at + interval '1 minute')
      `
    )
  )

/** Waits until the jobs of an organization are done after processes ended: their locks expire now, and what waits for seconds is due now. */
export const untilJobsEnd = Effect.fnUntraced(function* (clinic: Clinic) {
  const expire = expireLocks(yield* DateTime.nowAsDate)
  return yield* until(Effect.andThen(Effect.all([expire, hurry(clinic)]), jobsOf(clinic)), allEnded)
})

/**
 * Lets so much time pass for the locks of the jobs that are under way now as a process has after its last sign of life. May
 * be repeated: what is taken later is not touched.
 */
export const expireLocks = (takenBefore: Date) =>
  inDatabase((sql) =>
    Effect.forEach(
      services,
      (service) => sql`
        UPDATE ${sql(service)}.jobs SET locked_at = locked_at - interval '30 seconds'
        WHERE state = 'running' AND locked_at < ${takenBefore}
      `
    )
  )
