import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How many cases each provider has to work on, and when the last one was assigned. A provider without a row never had any. Rows are
 * updated with every move, in place for as long as their page has room.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE provider_loads (
      organization_id uuid NOT NULL,
      provider_id uuid NOT NULL,
      case_count integer NOT NULL,
      last_assigned_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, provider_id)
    ) WITH (fillfactor = 50)
  `
})
