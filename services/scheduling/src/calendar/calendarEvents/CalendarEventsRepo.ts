import type { PagePosition } from "@care/domain/http"
import { CalendarEventId, type CaseId, OrganizationId, type UserId } from "@care/domain/ids"
import { CalendarEventSnapshot } from "@care/domain/scheduling"
import { type PatientKey, sealedRowsOf } from "@care/phi"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { EventRow } from "./EventRow.ts"

/** A range of the list: events that overlap it, both ends inclusive. */
export interface ListedRange {
  readonly from: Date
  /** The last moment of a day in UTC. */
  readonly to: Date
  readonly userId?: UserId | undefined
}

const keys = rowsOf(Schema.Struct({ organizationId: OrganizationId, id: CalendarEventId }))
const snapshots = rowsOf(CalendarEventSnapshot)
const caseSnapshots = rowsOf(Schema.Struct({ isArchived: Schema.Boolean }))

export const makeCalendarEventsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const events = yield* sealedRowsOf(EventRow)
  const columns = sql.literal(`
    organization_id, id, case_id, user_id, agent_name, agent_event_id, title, topic, description, color, is_editable, status,
    starts_at, ends_at, timezone, location, meeting_link, cancel_url, reschedule_url, meeting_notes, meeting_provider,
    organizer_id, participant_ids, host, cancellation, reported_at, is_deleted, created_at, updated_at
  `)
  // The driver would send the list as text[].
  const toRow = (key: PatientKey, event: EventRow) => ({
    ...events.seal(key, event),
    participantIds: `{${event.participantIds.join(",")}}`
  })
  const selectOne = (organizationId: OrganizationId, id: CalendarEventId) => sql`
    SELECT ${columns} FROM calendar_events WHERE organization_id = ${organizationId} AND id = ${id}
  `
  // Literals, so that the partial indexes apply.
  const isListed = sql.literal("NOT is_deleted AND NOT of_archived_case")

  return {
    /** Locks the snapshot of an event's case, and returns whether the case is archived; false without a snapshot. */
    isOfArchived: ({ caseId, organizationId }: EventRow) =>
      Effect.map(
        caseSnapshots.first(sql`
          SELECT is_archived FROM case_snapshots WHERE organization_id = ${organizationId} AND case_id = ${caseId} FOR SHARE
        `),
        Option.exists(({ isArchived }) => isArchived)
      ),

    /** Returns false, and stores nothing, when the event exists, or the agent's event under another id. */
    insert: (key: PatientKey, event: EventRow, ofArchivedCase: boolean) =>
      affects(sql`
        INSERT INTO calendar_events ${sql.insert({ ...toRow(key, event), ofArchivedCase })}
        ON CONFLICT DO NOTHING
        RETURNING id
      `),

    find: (organizationId: OrganizationId, id: CalendarEventId) => events.first(selectOne(organizationId, id)),

    snapshots: (organizationId: OrganizationId, ids: ReadonlyArray<CalendarEventId>) =>
      snapshots.all(sql`
        SELECT organization_id, case_id, id AS event_id, CASE WHEN is_deleted THEN 2 ELSE 1 END AS version
        FROM calendar_events WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
      `),

    /** Locks the event until the transaction ends. */
    lock: (organizationId: OrganizationId, id: CalendarEventId) =>
      events.first(sql`${selectOne(organizationId, id)} FOR NO KEY UPDATE`),

    update: (key: PatientKey, event: EventRow) =>
      execute(sql`
        UPDATE calendar_events SET ${sql.update(toRow(key, event), ["organizationId", "id"])}
        WHERE organization_id = ${event.organizationId} AND id = ${event.id}
      `),

    /** Returns the owner of an agent's event, without an organization id. */
    findOfAgent: (agentName: string, agentEventId: string) =>
      keys.first(sql`
        SELECT organization_id, id FROM calendar_events
        WHERE agent_event_id = ${agentEventId} AND agent_name = ${agentName}
        ORDER BY created_at, id
        LIMIT 1
      `),

    /** Returns an agent's event by the agent's id. */
    findByAgentEvent: (organizationId: OrganizationId, agentName: string, agentEventId: string) =>
      events.first(sql`
        SELECT ${columns} FROM calendar_events
        WHERE organization_id = ${organizationId} AND agent_name = ${agentName} AND agent_event_id = ${agentEventId}
      `),

    findAll: (organizationId: OrganizationId, ids: ReadonlyArray<CalendarEventId>) =>
      events.all(sql`
        SELECT ${columns} FROM calendar_events
        WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
      `),

    /** The events of a case that were not cancelled, latest start first. */
    ofCase: (organizationId: OrganizationId, caseId: CaseId, before: PagePosition, limit: number) =>
      events.all(sql`
        SELECT ${columns} FROM calendar_events
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND NOT is_deleted
          AND (starts_at, id) < (${before.createdAt}, ${before.id})
        ORDER BY starts_at DESC, id DESC
        LIMIT ${limit}
      `),

    /**
     * The events of a range that were not cancelled, of cases that are not archived, earliest end first. Events that
     * end in the range, and those that last over the night after it (`calendar_nights`), are read in the order of their
     * indexes.
     */
    listed: (organizationId: OrganizationId, { from, to, userId }: ListedRange, limit: number) => {
      const ofUser = userId === undefined ? sql.literal("") : sql`AND user_id = ${userId}`
      const firstRows = sql`ORDER BY ends_at, id LIMIT ${limit}`
      return events.all(sql`
        (
          SELECT ${columns} FROM calendar_events
          WHERE organization_id = ${organizationId} AND ${isListed} ${ofUser} AND ends_at >= ${from} AND ends_at <= ${to}
          ${firstRows}
        )
        UNION ALL
        (
          SELECT ${columns} FROM calendar_events
          WHERE organization_id = ${organizationId} AND id = ANY(ARRAY(
            SELECT lasting.id FROM generate_series(0, 22) AS level, LATERAL (
              SELECT ends_at, event_id AS id FROM calendar_nights
              WHERE organization_id = ${organizationId} ${ofUser}
                AND night = (night_before(${to}) + 1) >> level AND ends_at >= ${from}
              ${firstRows}
            ) AS lasting
            ${firstRows}
          ))
        )
        ${firstRows}
      `)
    }
  }
})
