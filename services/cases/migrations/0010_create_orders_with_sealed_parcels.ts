import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Medication orders. What is ordered and said about it, and by what its parcel is followed, is sealed; `shipping_logs` is an array, the newest last. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE orders (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      external_id uuid NOT NULL,
      pharmacy_order_id text,
      tracking_id text,
      status text NOT NULL,
      message text,
      pharmacy_name text,
      items text NOT NULL,
      replacement_reason text,
      shipping_logs text NOT NULL,
      est_delivery_at timestamptz(3),
      tracking_url text,
      carrier_name text,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX orders_by_case ON orders (organization_id, case_id, created_at, id)`
})
