import { ClockAdvance } from "@care/domain/auth"
import type { ClockAdvanceId, OrganizationId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const advances = rowsOf(ClockAdvance)

export const makeClockAdvancesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal('id, state, begins AS "from", target, reached, steps')
  return {
    /** Locks the clock of a sandbox in this service: it is not moved, and no other move begins, until the transaction ends. */
    lockClock: (organizationId: OrganizationId) =>
      execute(sql`SELECT FROM test_organizations WHERE organization_id = ${organizationId} FOR NO KEY UPDATE`),

    insert: (organizationId: OrganizationId, { from: begins, ...advance }: ClockAdvance, begunAt: Date) =>
      execute(sql`INSERT INTO clock_advances ${sql.insert({ organizationId, begins, ...advance, begunAt })}`),

    find: (organizationId: OrganizationId, id: ClockAdvanceId) =>
      advances.first(
        sql`SELECT ${columns} FROM clock_advances WHERE organization_id = ${organizationId} AND id = ${id}`
      ),

    moving: (organizationId: OrganizationId) =>
      advances.first(sql`
        SELECT ${columns} FROM clock_advances WHERE organization_id = ${organizationId} AND state = 'MOVING'
      `),

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
