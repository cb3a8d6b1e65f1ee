import { ClockAdvance } from "@care/domain/auth"
import type { ClockAdvanceId, OrganizationId } from "@care/domain/ids"
import { clockQueue } from "@care/jobs"
import { execute, rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const advances = rowsOf(ClockAdvance)

/** SQL of the moves of clocks. One without a job is `STOPPED`, also if nobody could store that when its job failed for the last time. */
export const makeClockAdvancesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = (organizationId: OrganizationId) =>
    sql`FROM jobs WHERE queue_name = ${clockQueue} AND organization_id = ${organizationId}`
  // A part of a move offers the next before it ends. The union lets each half use the index of its state.
  const isUnderWay = (organizationId: OrganizationId) => sql`
    EXISTS (
      SELECT ${jobs(organizationId)} AND state = 'pending' UNION ALL SELECT ${jobs(organizationId)} AND state = 'running'
    )
  `
  const columns = sql.literal('id, begins AS "from", target, reached, steps')
  return {
    /**
     * Locks the clock of a sandbox in this service: until the transaction ends it is not moved, no other move begins, and no operator repeats
     * the job of an earlier one.
     */
    lockClock: (organizationId: OrganizationId) =>
      Effect.andThen(
        execute(sql`SELECT FROM test_organizations WHERE organization_id = ${organizationId} FOR NO KEY UPDATE`),
        execute(sql`SELECT ${jobs(organizationId)} AND state = 'failed' ORDER BY id FOR UPDATE`.unprepared)
      ),

    /** Stops the move of a locked clock that has no job any more. */
    stopAbandoned: (organizationId: OrganizationId) =>
      execute(
        sql`
          UPDATE clock_advances SET state = 'STOPPED'
          WHERE organization_id = ${organizationId} AND state = 'MOVING' AND NOT ${isUnderWay(organizationId)}
        `.unprepared
      ),

    insert: (organizationId: OrganizationId, { from: begins, ...advance }: ClockAdvance, begunAt: Date) =>
      execute(sql`INSERT INTO clock_advances ${sql.insert({ organizationId, begins, ...advance, begunAt })}`),

    find: (organizationId: OrganizationId, id: ClockAdvanceId) =>
      advances.first(
        sql`
          SELECT ${columns}, CASE WHEN state = 'MOVING' AND NOT ${isUnderWay(organizationId)} THEN 'STOPPED' ELSE state END AS state
          FROM clock_advances WHERE organization_id = ${organizationId} AND id = ${id}
        `.unprepared
      ),

    moving: (organizationId: OrganizationId) =>
      advances.first(
        sql`
          SELECT ${columns}, state FROM clock_advances
          WHERE organization_id = ${organizationId} AND state = 'MOVING' AND ${isUnderWay(organizationId)}
        `.unprepared
      ),

    step: (organizationId: OrganizationId, id: ClockAdvanceId, reached: Date) =>
      execute(sql`
        UPDATE clock_advances SET reached = greatest(reached, ${reached}::timestamptz), steps = steps + 1
        WHERE organization_id = ${organizationId} AND id = ${id} AND state = 'MOVING'
      `),

    end: (organizationId: OrganizationId, id: ClockAdvanceId, state: "DONE" | "STOPPED", reached: Date) =>
      execute(sql`
        UPDATE clock_advances SET reached = greatest(reached, ${reached}::timestamptz), state = ${state}
        WHERE organization_id = ${organizationId} AND id = ${id} AND state = 'MOVING'
      `)
  }
})
