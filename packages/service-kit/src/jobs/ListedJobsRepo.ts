import type { PagePosition } from "@care/domain/http"
import { JobState, ServiceJob } from "@care/domain/jobs"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsOf } from "../sql/rows.ts"
import { nobody } from "./JobsRepo.ts"

interface JobsWanted {
  readonly state?: JobState | undefined
  readonly queue?: string | undefined
}

const listedJobs = rowsOf(ServiceJob)

const counts = rowsOf(
  Schema.Struct({ queue: Schema.String, state: JobState, count: Schema.Int, oldestSeconds: Schema.Finite })
)

const states = rowsOf(Schema.Struct({ state: JobState }))

/** SQL of jobs as operators see them: never what they carry. */
export const makeListedJobsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const shown = sql`
    jobs.id, jobs.queue_name AS queue, jobs.state, nullif(jobs.organization_id, ${nobody}) AS organization_id,
    jobs.attempts, jobs.last_failure, jobs.request_id, jobs.created_at, jobs.due_at, jobs.ended_at
  `

  return {
    /** Newest first, by the index of each state. */
    page: ({ queue, state }: JobsWanted, before: PagePosition, limit: number) =>
      listedJobs.all(sql`
        SELECT jobs.* FROM unnest(${state === undefined ? JobState.literals : [state]}::text[]) AS wanted (state)
        CROSS JOIN LATERAL (
          SELECT ${shown} FROM jobs
          WHERE jobs.state = wanted.state AND (jobs.created_at, jobs.id) < (${before.createdAt}, ${before.id})
            AND (${queue ?? null}::text IS NULL OR jobs.queue_name = ${queue ?? null})
          ORDER BY jobs.created_at DESC, jobs.id DESC
          LIMIT ${limit}
        ) AS jobs
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `),

    find: (id: string) => states.first(sql`SELECT state FROM jobs WHERE id = ${id}`),

    /** Lets a job that failed begin anew. None when it did not fail. */
    retry: (id: string) =>
      listedJobs.first(sql`
        UPDATE jobs SET state = 'pending', ended_at = NULL, attempts = 0, deaths = 0, due_at = now()
        WHERE id = ${id} AND state = 'failed'
        RETURNING ${shown}
      `),

    /** How many jobs of each queue are in each state but done, and how old the oldest of them is. */
    counts: counts.all(
      sql`
        SELECT queue_name AS queue, state, count(*)::int AS count,
               extract(epoch FROM now() - min(created_at))::float8 AS oldest_seconds
        FROM jobs WHERE state IN ('pending', 'running', 'failed')
        GROUP BY queue_name, state
      `.unprepared
    )
  }
})
