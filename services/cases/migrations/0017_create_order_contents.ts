import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the pharmacy is told of an order: all of it is sealed. `documents` are the prescriptions that are fetched, with the
 * ids that they get. `told_at` is when the pharmacy made the newest of what it told of an order. The index is for paths that
 * name an order alone: the operator's, and the pharmacy's.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE orders ADD COLUMN told_at timestamptz(3)`
  yield* sql`CREATE INDEX orders_anywhere_by_id ON orders (id)`
  yield* sql`
    CREATE TABLE order_contents (
      organization_id uuid NOT NULL,
      order_id uuid NOT NULL,
      shipping_address text NOT NULL,
      prescription text NOT NULL,
      documents text NOT NULL,
      PRIMARY KEY (organization_id, order_id),
      FOREIGN KEY (organization_id, order_id) REFERENCES orders (organization_id, id)
    )
  `
})
