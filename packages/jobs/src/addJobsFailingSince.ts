import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Migration of every service: since when a job has been failing, which says when it is tried for the last time. */
export const addJobsFailingSince = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`ALTER TABLE jobs ADD COLUMN failing_since timestamptz`
)
