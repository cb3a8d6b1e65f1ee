import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE bundles (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      description text NOT NULL,
      image_url text NOT NULL,
      price numeric(12, 2) NOT NULL,
      price_unit text NOT NULL,
      initial_discount numeric(12, 2) NOT NULL,
      is_sold_out boolean NOT NULL,
      is_visible boolean NOT NULL,
      intake_form_id uuid,
      followup_form_id uuid,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, intake_form_id) REFERENCES forms (organization_id, id),
      FOREIGN KEY (organization_id, followup_form_id) REFERENCES forms (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX bundles_by_creation ON bundles (organization_id, created_at, id)`
  yield* sql`
    CREATE TABLE bundle_products (
      organization_id uuid NOT NULL,
      bundle_id uuid NOT NULL,
      product_id uuid NOT NULL,
      PRIMARY KEY (organization_id, bundle_id, product_id),
      FOREIGN KEY (organization_id, bundle_id) REFERENCES bundles (organization_id, id),
      FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id)
    )
  `
  // Finds the bundles of a product: a promo code may be for some bundles alone.
  yield* sql`CREATE INDEX bundle_products_by_product ON bundle_products (organization_id, product_id)`
})
