import { Effect } from "effect"
import type pg from "pg"

/** Waits until both sides have done all jobs and sent all notices, retries included. */
export const jobsDone = (database: pg.ClientBase) =>
  Effect.promise(() =>
    database.query<{ jobs: number }>(`
      SELECT (SELECT count(*) FROM peer.jobs)::int
           + (SELECT count(*) FROM cases.jobs WHERE state IN ('pending', 'running'))::int
           + (SELECT count(*) FROM cases.case_activity WHERE awaits_notice)::int
           + (SELECT count(*) FROM auth.jobs WHERE state IN ('pending', 'running')
               AND (due_at <= now() OR queue_name = 'case-notice'))::int AS jobs
    `)
  ).pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: ({ rows }) => rows.every(({ jobs }) => jobs === 0) }),
    Effect.timeout("120 seconds")
  )
