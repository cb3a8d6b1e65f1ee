import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Who looks at a case at this moment. It is not logged, because it is written every few seconds for each viewer and is worth nothing after a
 * crash, which empties it: whoever still looks says so again. It has no foreign key, which would lock the case for each new viewer.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE UNLOGGED TABLE case_viewers (
      organization_id uuid NOT NULL,
      case_id uuid NOT NULL,
      viewer_id uuid NOT NULL,
      since timestamptz(3) NOT NULL,
      seen_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, case_id, viewer_id)
    )
  `
  yield* sql`CREATE INDEX case_viewers_by_time ON case_viewers (seen_at)`
})
