import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The reports of the scheduling provider, each once: that an invitee was created (`moved_from`: the meeting was moved from that
 * one) or canceled. A report about a meeting that is not known here yet waits for it (`is_awaited`), with the times of the meeting.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE provider_events (
      agent_event_id text NOT NULL,
      type text NOT NULL,
      moved_from text,
      starts_at timestamptz(3),
      ends_at timestamptz(3),
      timezone text,
      is_awaited boolean NOT NULL,
      reported_at timestamptz(3) NOT NULL,
      received_at timestamptz(3) NOT NULL,
      PRIMARY KEY (agent_event_id, type)
    )
  `
  yield* sql`CREATE INDEX provider_events_of_moves ON provider_events (moved_from) WHERE moved_from IS NOT NULL`
  yield* sql`CREATE INDEX provider_events_by_time ON provider_events (received_at)`
})
