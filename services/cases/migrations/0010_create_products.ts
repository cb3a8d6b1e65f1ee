import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE products (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      description text,
      price numeric(12, 2),
      currency text,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX products_by_creation ON products (organization_id, created_at, id)`
})
