import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Medication orders. What is ordered, what is said about it, and how its parcel is followed is sealed; `shipping_logs` is an array,
 * the newest last. `reported_at` is the pharmacy's time of its newest report.
 *
 * `order_contents` is what the pharmacy is told of an order, all of it sealed. `documents` are the prescriptions that are fetched,
 * with the ids that they get. `body` is the request body with which the pharmacy is asked to take the order, the same at every try;
 * NULL until it is first asked.
 *
 * `pharmacy_events` are the pharmacy's reports of orders, each of which takes effect once. They are kept for a while only.
 */
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
      reported_at timestamptz(3),
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX orders_by_case ON orders (organization_id, case_id, created_at, id)`
  // For paths that name an order alone: the operator's, and the pharmacy's.
  yield* sql`CREATE INDEX orders_anywhere_by_id ON orders (id)`
  yield* sql`
    CREATE TABLE order_contents (
      organization_id uuid NOT NULL,
      order_id uuid NOT NULL,
      shipping_address text NOT NULL,
      prescription text NOT NULL,
      documents text NOT NULL,
      body text,
      PRIMARY KEY (organization_id, order_id),
      FOREIGN KEY (organization_id, order_id) REFERENCES orders (organization_id, id)
    )
  `
  yield* sql`
    CREATE TABLE pharmacy_events (
      organization_id uuid NOT NULL,
      event_id text NOT NULL,
      order_id uuid NOT NULL,
      received_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, event_id),
      FOREIGN KEY (organization_id, order_id) REFERENCES orders (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX pharmacy_events_by_time ON pharmacy_events (received_at)`
})
