import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the scheduling provider is asked to book, and of which nobody may know what became: `id` is that of the calendar event
 * that it is to be. `asked`, which is sealed, says for whom.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE bookings (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      user_id uuid NOT NULL,
      event_type_id text NOT NULL,
      starts_at timestamptz(3) NOT NULL,
      asked text NOT NULL,
      state text NOT NULL,
      first_asked_at timestamptz(3) NOT NULL,
      asked_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  // An event of the provider names no organization.
  yield* sql`CREATE INDEX bookings_unanswered ON bookings (event_type_id, starts_at) WHERE state <> 'BOOKED'`
  yield* sql`CREATE INDEX bookings_by_time ON bookings (asked_at)`
})
