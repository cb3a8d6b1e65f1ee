import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE bundles (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      name text NOT NULL,
      description text NOT NULL,
      image_url text NOT NULL,
      price numeric(12, 2) NOT NULL,
      price_unit text NOT NULL,
      initial_discount numeric(12, 2) NOT NULL,
      is_sold_out boolean NOT NULL,
      is_visible boolean NOT NULL,
      intake_form_id uuid REFERENCES forms (id),
      followup_form_id uuid REFERENCES forms (id),
      created_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE INDEX bundles_by_organization ON bundles (organization_id, created_at, id)`
  yield* sql`
    CREATE TABLE bundle_products (
      bundle_id uuid NOT NULL REFERENCES bundles (id),
      product_id uuid NOT NULL REFERENCES products (id),
      PRIMARY KEY (bundle_id, product_id)
    )
  `
})
