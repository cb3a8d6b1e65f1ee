import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE case_products (
      case_id uuid NOT NULL REFERENCES cases (id),
      index integer NOT NULL,
      organization_id uuid NOT NULL,
      product_id uuid NOT NULL REFERENCES products (id),
      status text NOT NULL DEFAULT 'OPEN',
      visit_type text NOT NULL,
      due_date date,
      PRIMARY KEY (case_id, index)
    )
  `
})
