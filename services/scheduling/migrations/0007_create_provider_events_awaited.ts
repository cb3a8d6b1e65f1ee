import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the scheduling provider told, each thing once: that an invitee was created (`moved_from`: the meeting was moved from that
 * one) or canceled. What it says of a meeting that we do not know yet is kept for it, sealed (`told`).
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE provider_events (
      agent_event_id text NOT NULL,
      type text NOT NULL,
      moved_from text,
      told text,
      told_at timestamptz(3) NOT NULL,
      received_at timestamptz(3) NOT NULL,
      PRIMARY KEY (agent_event_id, type)
    )
  `
  yield* sql`CREATE INDEX provider_events_of_moves ON provider_events (moved_from) WHERE moved_from IS NOT NULL`
  yield* sql`CREATE INDEX provider_events_by_time ON provider_events (received_at)`
})
