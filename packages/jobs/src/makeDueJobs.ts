import type { OrganizationId } from "@care/domain/ids"
import { type DueWork, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { JobWakeUp } from "./JobWakeUp.ts"

/** The queue of the jobs that move clocks. They do not wait for themselves. */
export const clockQueue = "clock-advance"

const looks = rowsOf(Schema.Struct({ isUnderWay: Schema.Boolean, dueInMillis: Schema.NullOr(Schema.Finite) }))

/** Makes the jobs of a service's queues as work of which a clock knows. */
export const makeDueJobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const wakeUp = yield* JobWakeUp
  const queues = () => wakeUp.queues().filter((queue) => queue !== clockQueue)

  const work: DueWork = {
    // Each part is found by an index that begins with the queue and the organization.
    look: (organizationId: OrganizationId) =>
      looks.one(
        sql`
          SELECT coalesce(bool_or(job.is_running), false) AS is_under_way,
                 (extract(epoch FROM min(job.due_at) - clock_timestamp()) * 1000)::float8 AS due_in_millis
          FROM unnest(${queues()}::text[]) AS queue (name) CROSS JOIN LATERAL (
            (
              SELECT due_at, false FROM jobs
              WHERE queue_name = queue.name AND organization_id = ${organizationId} AND state = 'pending' AND crashes = 0
              ORDER BY due_at, id LIMIT 1
            )
            UNION ALL
            (
              SELECT due_at, false FROM jobs
              WHERE queue_name = queue.name AND organization_id = ${organizationId} AND state = 'pending' AND crashes > 0
              ORDER BY due_at, id LIMIT 1
            )
            UNION ALL
            (
              SELECT NULL, true FROM jobs
              WHERE queue_name = queue.name AND organization_id = ${organizationId} AND state = 'running'
              LIMIT 1
            )
          ) AS job (due_at, is_running)
        `.unprepared
      ),

    // Neither what is due nor what runs: outcomes of jobs of many organizations are stored together, and would wait for the locks.
    bringForward: (organizationId, millis) =>
      execute(
        sql`
          WITH waiting AS MATERIALIZED (
            SELECT id, due_at - ${millis} * interval '1 millisecond' AS due_at,
                   failing_since - ${millis} * interval '1 millisecond' AS failing_since
            FROM jobs
            WHERE organization_id = ${organizationId} AND queue_name = ANY(${queues()}::text[]) AND payload IS NOT NULL
              AND state = 'pending' AND due_at > now()
            ORDER BY id
            FOR NO KEY UPDATE
          )
          UPDATE jobs SET due_at = waiting.due_at, failing_since = waiting.failing_since
          FROM waiting WHERE jobs.id = waiting.id
        `.unprepared
      ),

    wake: Effect.suspend(() => Effect.forEach(queues(), wakeUp.wake, { discard: true }))
  }
  return work
})
