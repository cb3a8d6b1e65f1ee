import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { simulatedMeeting } from "../bookings/index.ts"

const StoredMeeting = Schema.Struct({
  organizationId: OrganizationId,
  id: CalendarEventId,
  agentEventId: Schema.String,
  startsAt: Schema.Date,
  isDeleted: Schema.Boolean,
  updatedAt: Schema.Date
})
/** The compared fields of an appointment at the provider. */
export type StoredMeeting = typeof StoredMeeting.Type

const meetings = rowsOf(StoredMeeting)

/** SQL of appointments across organizations, because the provider has one account for all live ones, and one for all sandboxes. */
export const makeMeetingsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("organization_id, id, agent_event_id, starts_at, is_deleted, updated_at")
  const isOfProvider = sql.literal("agent_name = 'calendly' AND agent_event_id IS NOT NULL")
  const isOfMode = (isTest: boolean) => sql`
    EXISTS (SELECT FROM test_organizations AS test WHERE test.organization_id = calendar_events.organization_id) = ${isTest}
  `

  return {
    /** Returns the appointments with the provider's ids. */
    findByAgentEventIds: (agentEventIds: ReadonlyArray<string>, isTest: boolean) =>
      meetings.all(sql`
        SELECT ${columns} FROM calendar_events WHERE agent_event_id = ANY(${agentEventIds}::text[]) AND ${isOfProvider}
          AND ${isOfMode(isTest)}
      `),

    /** Returns the active appointments that begin in a range, earliest first, without those that only a simulation moved there. */
    findBeginning: (from: Date, until: Date, limit: number, isTest: boolean) =>
      meetings.all(
        sql`
          SELECT ${columns} FROM calendar_events
          WHERE starts_at >= ${from} AND starts_at <= ${until} AND ${isOfProvider} AND NOT is_deleted
            AND NOT starts_with(agent_event_id, ${simulatedMeeting}) AND ${isOfMode(isTest)}
          ORDER BY starts_at, agent_event_id LIMIT ${limit}
        `.unprepared
      )
  }
})
