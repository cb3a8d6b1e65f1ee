import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `is_sole` marks a case that was created as the only active one of its patient, for as long as it is active: a unique index lets one
 * of two parallel creations win. `intent_id` is the payment intent that the case was created with, if any. Reason and note of an
 * archived case are sealed. The table is vacuumed after 1 % instead of 20 %, because the index of open cases is a queue.
 *
 * `activity_count` is the number of the last activity of the case: whoever increments it holds the case until they commit.
 * `is_followed` says that another service is sent each move. It is a column of the row that a move locks: a row of another table,
 * added while a move waits, would not be seen.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE cases (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      short_id text NOT NULL,
      user_id uuid NOT NULL,
      title text NOT NULL,
      status text NOT NULL,
      type text NOT NULL,
      is_test boolean NOT NULL,
      is_sole boolean NOT NULL,
      is_archived boolean NOT NULL DEFAULT false,
      archive_reason text,
      archive_note text,
      assigned_to uuid,
      assigned_by uuid,
      assigned_at timestamptz(3),
      in_progress_at timestamptz(3),
      closed_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      activity_count integer NOT NULL DEFAULT 1,
      is_followed boolean NOT NULL DEFAULT false,
      intent_id text,
      PRIMARY KEY (organization_id, id)
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000)
  `
  yield* sql`CREATE UNIQUE INDEX cases_short_id ON cases (organization_id, short_id)`
  yield* sql`CREATE INDEX cases_by_patient ON cases (organization_id, user_id, created_at DESC, id DESC)`
  yield* sql`CREATE UNIQUE INDEX cases_sole ON cases (organization_id, user_id) WHERE is_sole`
  yield* sql`
    CREATE INDEX cases_waiting ON cases (organization_id, created_at, id)
    WHERE NOT is_archived AND NOT is_test AND status = 'OPEN'
  `
  // Of cases that are created with one payment intent, in parallel as well, the first gets it.
  yield* sql`CREATE UNIQUE INDEX cases_by_intent ON cases (organization_id, intent_id) WHERE intent_id IS NOT NULL`
  // For paths that name a case alone: the operator's, and a partner's, who is told that a case is another organization's.
  yield* sql`CREATE INDEX cases_anywhere_by_id ON cases (id)`
  // For the search: cases in a state by creation, those of an organization, of all, and of a provider; and those of an organization
  // by their last change.
  yield* sql`CREATE INDEX cases_listed ON cases (organization_id, is_archived, status, created_at, id)`
  yield* sql`CREATE INDEX cases_listed_anywhere ON cases (is_archived, status, created_at, id)`
  yield* sql`
    CREATE INDEX cases_of_provider ON cases (assigned_to, organization_id, is_archived, status, created_at, id)
    WHERE assigned_to IS NOT NULL
  `
  yield* sql`CREATE INDEX cases_changed ON cases (organization_id, updated_at)`
})
