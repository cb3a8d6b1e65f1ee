import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What happened to cases, and by whom, numbered in the order of its effect. Rows are only added, and `details` has ids, statuses and
 * dates. `awaits_notice` until people were notified, `awaits_event` until there is a row of `events`; the indexes have the few
 * rows that still wait.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE case_activity (
      organization_id uuid NOT NULL,
      case_id uuid NOT NULL,
      sequence integer NOT NULL,
      id uuid NOT NULL,
      type text NOT NULL,
      actor_type text NOT NULL,
      actor_id text,
      at timestamptz(3) NOT NULL,
      details jsonb NOT NULL,
      awaits_notice boolean NOT NULL DEFAULT false,
      awaits_event boolean NOT NULL DEFAULT false,
      PRIMARY KEY (organization_id, case_id, sequence),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX case_activity_awaiting_notice ON case_activity (at, id) WHERE awaits_notice`
  yield* sql`
    CREATE INDEX case_activity_awaiting_event ON case_activity (at, organization_id, case_id, sequence)
    WHERE awaits_event
  `
})
