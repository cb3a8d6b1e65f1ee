import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What was told, once: ids and times alone, because nobody knows of whom it is, so that an erasure would not find it.
 * `isAwaited` until the meeting that it changes is known; the times are those of one that was moved.
 */
export const ProviderEventRow = Schema.Struct({
  agentEventId: Schema.String,
  type: Schema.Literals(["invitee.created", "invitee.canceled"]),
  movedFrom: Schema.NullOr(Schema.String),
  startsAt: Schema.NullOr(Schema.Date),
  endsAt: Schema.NullOr(Schema.Date),
  timezone: Schema.NullOr(Schema.String),
  isAwaited: Schema.Boolean,
  reportedAt: Schema.Date,
  receivedAt: Schema.Date
})
export type ProviderEventRow = typeof ProviderEventRow.Type

const events = rowsOf(ProviderEventRow)

export const makeProviderEventsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql`agent_event_id, type, moved_from, starts_at, ends_at, timezone, is_awaited, reported_at, received_at`

  return {
    /**
     * Whoever takes in what was told, and whoever stores a meeting of which something may have been told, waits for the other:
     * of two at once neither would see what the other is about to commit. All of them, because a meeting may be moved from
     * one to the next; the provider answers few requests a minute, and these transactions ask nobody.
     */
    inTurn: execute(sql`SELECT pg_advisory_xact_lock(hashtext('provider_events'))`),

    /** False, and nothing is stored, when it was told before. */
    insert: (event: ProviderEventRow) =>
      affects(sql`
        INSERT INTO provider_events ${sql.insert(event)}
        ON CONFLICT (agent_event_id, type) DO NOTHING
        RETURNING type
      `),

    /** What was told of the end of a meeting and is kept for it: that it was called off, and what it was moved to. */
    ofEnd: (agentEventId: string) =>
      events.all(sql`
        SELECT ${columns} FROM provider_events
        WHERE agent_event_id = ${agentEventId} AND type = 'invitee.canceled' AND is_awaited
        UNION ALL
        SELECT ${columns} FROM provider_events WHERE moved_from = ${agentEventId} AND is_awaited
      `),

    /** It was taken in. */
    taken: ({ agentEventId, type }: ProviderEventRow) =>
      execute(sql`
        UPDATE provider_events SET is_awaited = false, starts_at = NULL, ends_at = NULL, timezone = NULL
        WHERE agent_event_id = ${agentEventId} AND type = ${type}
      `)
  }
})
