import type { OrganizationId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { JobWakeUp } from "./JobWakeUp.ts"

const jobsAtOnce = 1000

const counts = rowsOf(Schema.Struct({ removed: Schema.Int }))

/**
 * Makes the function that removes the jobs of a sandbox under its reset, also those that run, and returns how many there were, up to a
 * thousand of a state and queue. Ended jobs without a payload are left to the cleanup.
 */
export const makeRemoveJobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const wakeUp = yield* JobWakeUp
  const states = [
    "state = 'pending' AND crashes = 0",
    "state = 'pending' AND crashes > 0",
    "state = 'running'",
    "state = 'failed'"
  ]

  // Each part is found by an index that begins with the queue.
  const jobsIn = (organizationId: OrganizationId) =>
    sql.join(
      " UNION ALL ",
      false
    )(
      states.map(
        (state) => sql`(
          SELECT id FROM jobs
          WHERE queue_name = queue.name AND organization_id = ${organizationId} AND ${sql.literal(state)} LIMIT ${jobsAtOnce}
        )`
      )
    )

  return (organizationId: OrganizationId, resets: number) =>
    Effect.map(
      counts.one(
        sql`
          WITH removed AS (
            DELETE FROM jobs WHERE organization_id = ${organizationId} AND id IN (
              SELECT job.id FROM unnest(${wakeUp.queues()}::text[]) AS queue (name)
              CROSS JOIN LATERAL (${jobsIn(organizationId)}) AS job (id)
              WHERE EXISTS (
                SELECT FROM test_organizations AS test
                WHERE test.organization_id = ${organizationId} AND test.resets = ${resets} AND test.is_resetting
              )
            )
            RETURNING 1
          )
          SELECT count(*)::integer AS removed FROM removed
        `.unprepared
      ),
      ({ removed }) => removed
    )
})
