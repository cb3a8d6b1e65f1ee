import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A received event, stored once. It has only ids and times, because its patient is unknown and an erasure would not find it.
 * `isAwaited` while no appointment has the meeting that it changes. `isTest` if it is of the account of sandboxes. The times are those of a
 * moved meeting.
 */
export const ProviderEventRow = Schema.Struct({
  agentEventId: Schema.String,
  type: Schema.Literals(["invitee.created", "invitee.canceled"]),
  movedFrom: Schema.NullOr(Schema.String),
  startsAt: Schema.NullOr(Schema.Date),
  endsAt: Schema.NullOr(Schema.Date),
  timezone: Schema.NullOr(Schema.String),
  isAwaited: Schema.Boolean,
  isTest: Schema.Boolean,
  reportedAt: Schema.Date,
  receivedAt: Schema.Date
})
export type ProviderEventRow = typeof ProviderEventRow.Type

const events = rowsOf(ProviderEventRow)

export const makeProviderEventsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql`agent_event_id, type, moved_from, starts_at, ends_at, timezone, is_awaited, is_test, reported_at, received_at`

  return {
    /**
     * Serializes the transactions that apply events or store meetings: of two parallel ones neither would see what the other is about
     * to commit. One lock for all, because a move concerns two meetings. The transactions are few and short.
     */
    lock: execute(sql`SELECT pg_advisory_xact_lock(hashtext('provider_events'))`),

    /** Returns false, and stores nothing, when the event was received before. */
    insert: (event: ProviderEventRow) =>
      affects(sql`
        INSERT INTO provider_events ${sql.insert(event)}
        ON CONFLICT (agent_event_id, type) DO NOTHING
        RETURNING type
      `),

    /** Returns the events of an account that wait for a meeting's appointment: its cancellation, and its move. */
    findAwaiting: (agentEventId: string, isTest: boolean) =>
      events.all(sql`
        SELECT ${columns} FROM provider_events
        WHERE agent_event_id = ${agentEventId} AND type = 'invitee.canceled' AND is_awaited AND is_test = ${isTest}
        UNION ALL
        SELECT ${columns} FROM provider_events WHERE moved_from = ${agentEventId} AND is_awaited AND is_test = ${isTest}
      `),

    /** Marks an event as applied, and removes its times. */
    markApplied: ({ agentEventId, type }: ProviderEventRow) =>
      execute(sql`
        UPDATE provider_events SET is_awaited = false, starts_at = NULL, ends_at = NULL, timezone = NULL
        WHERE agent_event_id = ${agentEventId} AND type = ${type}
      `)
  }
})
