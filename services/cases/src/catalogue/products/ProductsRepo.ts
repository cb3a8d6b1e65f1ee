import type { Product } from "@care/domain/cases"
import { BundleId, type OrganizationId, ProductId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const namedProducts = rowsOf(Schema.Struct({ id: ProductId, name: Schema.String }))

const ProductOffer = Schema.Struct({
  id: ProductId,
  price: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(Schema.String),
  bundleIds: Schema.Array(BundleId)
})

/** The price of a product, in major units of its currency, and the bundles that have it. */
export type ProductOffer = typeof ProductOffer.Type

const offers = rowsOf(ProductOffer)

export const makeProductsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    insert: (product: Product) => execute(sql`INSERT INTO products ${sql.insert({ ...product })}`),

    findNames: (organizationId: OrganizationId, ids: ReadonlyArray<ProductId>) =>
      namedProducts.all(
        sql`SELECT id, name FROM products WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])`
      ),

    findOffers: (organizationId: OrganizationId, ids: ReadonlyArray<ProductId>) =>
      offers.all(sql`
        SELECT id, trim_scale(price)::text AS price, currency, ARRAY(
          SELECT bundle_id FROM bundle_products WHERE organization_id = ${organizationId} AND product_id = products.id
        ) AS bundle_ids
        FROM products WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
      `)
  }
})
