import { DateTime, Effect } from "effect"
import { inEveryDatabase } from "./database.ts"
import type { Clinic } from "./fixtures.ts"
import { until } from "./until.ts"

/** A stored job without its payload. */
export interface JobRow {
  readonly queue: string
  readonly state: string
  readonly attempts: number
  readonly crashes: number
}

/** Reads the jobs of an organization in all services, except those that were offered for later than a minute. */
export const jobsOf = ({ organizationId }: Clinic) =>
  inEveryDatabase(
    (sql, service) => sql<JobRow>`
      SELECT queue_name AS queue, state, attempts, crashes FROM ${sql(service)}.jobs
      WHERE organization_id = ${organizationId} AND NOT (attempts = 0 AND due_at > created_at + interval '1 minute')
    `
  )

/** Returns whether all jobs are completed, cancelled or dead-lettered. */
export const haveAllEnded = (jobs: ReadonlyArray<JobRow>) =>
  jobs.every(({ state }) => /completed|failed|cancelled/.test(state))

const lookTwice = (clinic: Clinic) => Effect.all([jobsOf(clinic), jobsOf(clinic)])

// A job may add one in a service that was read before. If both looks find the same jobs, and all have ended, none was there in between that
// could add another.
const isOver = ([first, second]: Effect.Success<ReturnType<typeof lookTwice>>) =>
  first.length === second.length && haveAllEnded(first) && haveAllEnded(second)

/** Waits until all jobs have ended, also those that they add. */
export const untilAllEnded = (clinic: Clinic) => until(lookTwice(clinic), isOver)

// Makes waiting jobs due now: fallbacks, and retries of jobs that failed while a service was down.
const makeDue = ({ organizationId }: Clinic) =>
  inEveryDatabase(
    (sql, service) => sql`
      UPDATE ${sql(service)}.jobs SET due_at = now()
      WHERE organization_id = ${organizationId} AND state = 'pending' AND due_at > now()
        AND NOT (attempts = 0 AND due_at > created_at + interval '1 minute')
    `
  )

/** Waits until the jobs of an organization have ended after processes were killed. Their locks expire now, and retries are due now. */
export const untilJobsEnd = Effect.fnUntraced(function* (clinic: Clinic) {
  const expire = expireLocks(yield* DateTime.nowAsDate)
  return yield* until(Effect.andThen(Effect.all([expire, makeDue(clinic)]), lookTwice(clinic)), isOver)
})

/** Expires the locks of jobs that were claimed before a time, as if their processes had ended. Later claims are not touched. */
export const expireLocks = (claimedBefore: Date) =>
  inEveryDatabase(
    (sql, service) => sql`
      UPDATE ${sql(service)}.jobs SET locked_at = locked_at - interval '30 seconds'
      WHERE state = 'running' AND locked_at < ${claimedBefore}
    `
  )
