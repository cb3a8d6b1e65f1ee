import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Cancellations of appointments by partners. Of those of one appointment one is done. Who asked for it, and why, is sealed. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE cancellations (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      event_id uuid NOT NULL,
      email text NOT NULL,
      reason text,
      is_done boolean NOT NULL,
      asked_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX cancellations_by_event ON cancellations (organization_id, event_id)`
  yield* sql`CREATE UNIQUE INDEX cancellations_done ON cancellations (organization_id, event_id) WHERE is_done`
  yield* sql`CREATE INDEX cancellations_by_time ON cancellations (asked_at)`
})
