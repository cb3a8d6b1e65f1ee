import { affects, execute, type OpenedRow, ofNobody, sealed, sealedRow, sealedRowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Told } from "./Told.ts"

// Of whom it is, nobody may know: what is found to be of a patient goes with them.
const erasedNews: Told = { type: "invitee.canceled", agentEventId: "", isMoved: false, canceledBy: null, reason: null }

export const ProviderEventRow = sealedRow("provider_events", ["agentEventId", "type"], {
  agentEventId: Schema.String,
  type: Schema.String,
  movedFrom: Schema.NullOr(Schema.String),
  told: sealed(Told, erasedNews),
  toldAt: Schema.Date,
  receivedAt: Schema.Date
})
export type ProviderEventRow = OpenedRow<typeof ProviderEventRow>

export const makeProviderEventsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const events = yield* sealedRowsOf(ProviderEventRow)
  const columns = sql`agent_event_id, type, moved_from, told, told_at, received_at`

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
        INSERT INTO provider_events ${sql.insert(events.seal(ofNobody, event))}
        ON CONFLICT (agent_event_id, type) DO NOTHING
        RETURNING type
      `),

    /** What was told of the end of a meeting: that it was called off, and what it was moved to. */
    ofEnd: (agentEventId: string) =>
      events.all(sql`
        SELECT ${columns} FROM provider_events
        WHERE agent_event_id = ${agentEventId} AND type = 'invitee.canceled'
        UNION ALL
        SELECT ${columns} FROM provider_events WHERE moved_from = ${agentEventId}
      `)
  }
})
