import { DateTime, Effect } from "effect"
import { inDatabase, inEveryDatabase } from "./database.ts"
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

// What an organization has to do: jobs, and entries of case activity, which become notices and events, and so jobs again.
const look = Effect.fnUntraced(function* (clinic: Clinic) {
  const [activity] = yield* inDatabase(
    "cases",
    (sql) => sql<{ entries: number; waiting: number }>`
      SELECT count(*)::int AS entries, count(*) FILTER (WHERE awaits_notice OR awaits_event)::int AS waiting
      FROM cases.case_activity WHERE organization_id = ${clinic.organizationId}
    `
  )
  const jobs = yield* jobsOf(clinic)
  return { jobs, rows: jobs.length + (activity?.entries ?? 0), isOver: activity?.waiting === 0 && haveAllEnded(jobs) }
})

const lookTwice = (clinic: Clinic) => Effect.all([look(clinic), look(clinic)])

// A job may add one in a service that was read before. If both looks find the same rows, and nothing to do, nothing was there in between that
// could add another.
const isOver = ([first, second]: Effect.Success<ReturnType<typeof lookTwice>>) =>
  first.rows === second.rows && first.isOver && second.isOver

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
