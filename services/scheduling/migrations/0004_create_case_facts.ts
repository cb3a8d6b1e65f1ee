import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How the cases stand that have calendar events, as cases told it last (docs/decisions/0053-calendar-events.md). It may be
 * emptied at any time, and is asked for again. `of_archived_case` says the same of each event, so that an index has those
 * alone that are listed; whoever adds an event holds the case's row meanwhile.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE case_facts (
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
  yield* sql`ALTER TABLE calendar_events ADD COLUMN of_archived_case boolean NOT NULL DEFAULT false`
})
