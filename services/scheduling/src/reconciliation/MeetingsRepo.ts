import { CalendarEventId, OrganizationId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const KnownMeeting = Schema.Struct({
  organizationId: OrganizationId,
  id: CalendarEventId,
  agentEventId: Schema.String,
  startsAt: Schema.Date,
  isDeleted: Schema.Boolean,
  updatedAt: Schema.Date
})
/** An appointment that is kept at the provider, as far as it is compared. */
export type KnownMeeting = typeof KnownMeeting.Type

const meetings = rowsOf(KnownMeeting)

/** SQL of the appointments that are compared with the provider, whoever's they are: its account is one for all of them. */
export const makeMeetingsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("organization_id, id, agent_event_id, starts_at, is_deleted, updated_at")
  const isOfProvider = sql.literal("agent_name = 'calendly' AND agent_event_id IS NOT NULL")

  return {
    /** Those of them that we know, by the provider's ids. */
    known: (agentEventIds: ReadonlyArray<string>) =>
      meetings.all(sql`
        SELECT ${columns} FROM calendar_events WHERE agent_event_id = ANY(${agentEventIds}::text[]) AND ${isOfProvider}
      `),

    /** Those that take place and begin in a stretch of time, earliest first. */
    beginning: (from: Date, until: Date, most: number) =>
      meetings.all(
        sql`
          SELECT ${columns} FROM calendar_events
          WHERE starts_at >= ${from} AND starts_at <= ${until} AND ${isOfProvider} AND NOT is_deleted
          ORDER BY starts_at, agent_event_id LIMIT ${most}
        `.unprepared
      )
  }
})
