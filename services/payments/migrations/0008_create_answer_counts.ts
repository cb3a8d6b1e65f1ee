import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How many answers an organization was given under a limit, in the window that ends at `ends_at`. An organization has one row for
 * each limit, and its next window starts in the same row: rows are updated often, and in place.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE answer_counts (
      organization_id uuid NOT NULL,
      name text NOT NULL,
      used integer NOT NULL,
      ends_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, name)
    ) WITH (fillfactor = 50)
  `
})
