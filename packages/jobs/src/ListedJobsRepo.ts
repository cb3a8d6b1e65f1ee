import { Mode } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { JobState, ServiceJob } from "@care/domain/jobs"
import { asSlowRead, inBackground, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { noOrganization } from "./JobsRepo.ts"

const listedJobs = rowsOf(ServiceJob)

const counts = rowsOf(
  Schema.Struct({ queue: Schema.String, state: JobState, mode: Mode, count: Schema.Int, overdueSeconds: Schema.Finite })
)

const states = rowsOf(Schema.Struct({ state: JobState }))

/** SQL of jobs as operators see them: without payloads. */
export const makeListedJobsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const shown = sql`
    jobs.id, jobs.queue_name AS queue, jobs.state, nullif(jobs.organization_id, ${noOrganization}) AS organization_id,
    jobs.attempts, jobs.last_failure, jobs.request_id, jobs.created_at, jobs.due_at, jobs.ended_at
  `

  // Skips from one queue to the next by the index, so that the number of their jobs does not matter.
  const queuesOfState = sql`
    WITH RECURSIVE queues AS (
      (SELECT queue_name AS name FROM jobs WHERE state = selected.state ORDER BY queue_name LIMIT 1)
      UNION ALL
      SELECT (
        SELECT queue_name FROM jobs WHERE state = selected.state AND queue_name > queues.name ORDER BY queue_name LIMIT 1
      )
      FROM queues WHERE name IS NOT NULL
    )
    SELECT name FROM queues WHERE name IS NOT NULL
  `

  // Oldest first, so that the counted jobs include the oldest.
  const counted = sql`
    SELECT queues.name AS queue, selected.state, counted.*
    FROM unnest(ARRAY['pending', 'running', 'failed']) AS selected (state)
    CROSS JOIN LATERAL (${queuesOfState}) AS queues
    CROSS JOIN LATERAL (
      SELECT CASE WHEN test.organization_id IS NULL THEN 'live' ELSE 'test' END AS mode, count(*)::int AS count,
             extract(epoch FROM statement_timestamp() - min(due_at))::float8 AS overdue_seconds
      FROM (
        SELECT organization_id, due_at FROM jobs WHERE jobs.state = selected.state AND jobs.queue_name = queues.name
        ORDER BY created_at, id LIMIT 100000
      ) AS oldest
      LEFT JOIN test_organizations AS test ON test.organization_id = oldest.organization_id
      GROUP BY mode
    ) AS counted
  `.unprepared

  // Without statistics the planner expects few rows, and would collect and sort all of them before the limit.
  const alongIndex = sql`SET LOCAL enable_bitmapscan = off`

  return {
    /**
     * Returns a page of jobs, newest first: the newest of each queue in each state, merged. The row comparisons describe a range of the
     * index: with equalities and no statistics the planner expects few rows, and reads and sorts all of them.
     */
    page: ({ queue, state }: Partial<Pick<ServiceJob, "state" | "queue">>, before: PagePosition, limit: number) => {
      const found = sql`
        SELECT jobs.* FROM unnest(${state === undefined ? JobState.literals : [state]}::text[]) AS selected (state)
        CROSS JOIN LATERAL (${queue === undefined ? queuesOfState : sql`SELECT ${queue}::text AS name`}) AS queues
        CROSS JOIN LATERAL (
          SELECT ${shown} FROM jobs
          WHERE (jobs.state, jobs.queue_name) >= (selected.state, queues.name)
            AND (jobs.state, jobs.queue_name, jobs.created_at, jobs.id)
              < (selected.state, queues.name, ${before.createdAt}, ${before.id})
          ORDER BY jobs.state DESC, jobs.queue_name DESC, jobs.created_at DESC, jobs.id DESC
          LIMIT ${limit}
        ) AS jobs
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `
      return asSlowRead(listedJobs.all(found))
    },

    find: (id: string) => states.first(sql`SELECT state FROM jobs WHERE id = ${id}`),

    /** Makes a dead-lettered job pending again. Returns none if the job is not dead-lettered. */
    retry: (id: string) =>
      listedJobs.first(sql`
        WITH clock AS (SELECT now())
        UPDATE jobs SET
          state = 'pending', ended_at = NULL, attempts = 0, crashes = 0, failing_since = NULL, due_at = clock.now
        FROM clock WHERE id = ${id} AND state = 'failed'
        RETURNING ${shown}
      `),

    /**
     * Returns the number of jobs of each queue in each state that is not done and in each mode, at most 100,000, and for how long the first
     * has been due.
     */
    counts: inBackground(counts.all(sql.withTransaction(Effect.andThen(alongIndex, counted))))
  }
})
