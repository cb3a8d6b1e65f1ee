import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What happened to cases, by whom, numbered as it took effect. Rows are only added, and `details` has ids, statuses and days.
 * `awaits_notice` until it was seen to that people are told; the few rows that wait are all of their index.
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
      PRIMARY KEY (organization_id, case_id, sequence),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX case_activity_awaiting_notice ON case_activity (at, id) WHERE awaits_notice`
})
