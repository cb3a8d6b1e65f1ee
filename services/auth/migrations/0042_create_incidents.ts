import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The incidents of the status page. They belong to the organization of the platform, which exists only once there are operators. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE incidents (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      title text NOT NULL,
      impact text NOT NULL,
      text text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      resolved_at timestamptz(3),
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX incidents_by_creation ON incidents (organization_id, created_at, id)`
})
