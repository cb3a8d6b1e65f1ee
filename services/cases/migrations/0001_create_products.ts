import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE products (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      name text NOT NULL,
      description text,
      price numeric(12, 2),
      currency text,
      created_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE INDEX products_by_organization ON products (organization_id, created_at, id)`
})
