import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Versioned copies of the cases that have calendar events, as the cases service last sent them. The table may be emptied at any
 * time: a missing row is asked for again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE case_snapshots (
      organization_id uuid NOT NULL,
      case_id uuid NOT NULL,
      user_id uuid NOT NULL,
      short_id text NOT NULL,
      title text NOT NULL,
      status text NOT NULL,
      is_archived boolean NOT NULL,
      is_test boolean NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, case_id)
    )
  `
  yield* sql`CREATE INDEX case_snapshots_by_patient ON case_snapshots (organization_id, user_id, case_id)`
})
