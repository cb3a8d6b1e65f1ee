import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A case may have a product more than once. `close_reason` is sealed for the product in the case. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE case_products (
      organization_id uuid NOT NULL,
      case_id uuid NOT NULL,
      index integer NOT NULL,
      product_id uuid NOT NULL,
      status text NOT NULL DEFAULT 'OPEN',
      visit_type text NOT NULL,
      due_date date,
      closed_at timestamptz(3),
      close_reason text,
      CHECK ((status = 'CLOSED') = (closed_at IS NOT NULL)),
      PRIMARY KEY (organization_id, case_id, index),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id),
      FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id)
    )
  `
})
