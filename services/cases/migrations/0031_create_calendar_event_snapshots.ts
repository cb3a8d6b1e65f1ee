import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which calendar events a case has (version 1), and which were cancelled (version 2), as scheduling last sent it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE calendar_event_snapshots (
      organization_id uuid NOT NULL,
      event_id uuid NOT NULL,
      case_id uuid NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, event_id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX calendar_event_snapshots_by_case ON calendar_event_snapshots (organization_id, case_id)`
})
