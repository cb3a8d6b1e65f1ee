import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the scheduling provider is asked to book, written down before it is asked, because the outcome of the call may stay unknown.
 * `id` is that of the future calendar event. `asked` says for whom, and is sealed.
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
  // A report of the provider names no organization.
  yield* sql`CREATE INDEX bookings_unanswered ON bookings (event_type_id, starts_at) WHERE state <> 'BOOKED'`
  yield* sql`CREATE INDEX bookings_by_time ON bookings (asked_at)`
  yield* sql`CREATE INDEX bookings_by_patient ON bookings (organization_id, user_id, first_asked_at, id)`
})
