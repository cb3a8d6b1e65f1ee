import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** In which bundles a product is: a promo code may be for some bundles alone. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX bundle_products_by_product ON bundle_products (organization_id, product_id)`
})
