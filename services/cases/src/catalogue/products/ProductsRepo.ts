import { Product, type ProductChange } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { BundleId, type OrganizationId, ProductId } from "@care/domain/ids"
import { givenColumns, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const products = rowsOf(Product)
const namedProducts = rowsOf(Schema.Struct({ id: ProductId, name: Schema.String }))

const ProductOffer = Schema.Struct({
  id: ProductId,
  price: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(Schema.String),
  bundleIds: Schema.Array(BundleId)
})

/** The price of a product, in major units of its currency, and the bundles that have it and are not archived. */
export type ProductOffer = typeof ProductOffer.Type

const offers = rowsOf(ProductOffer)

export const makeProductsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal("id, organization_id, name, description, price::text, currency, is_archived, created_at")
  return {
    insert: (product: Product) =>
      products.one(sql`INSERT INTO products ${sql.insert({ ...product })} RETURNING ${columns}`),

    page: (organizationId: OrganizationId, isArchived: boolean, after: PagePosition, limit: number) =>
      products.all(sql`
        SELECT ${columns} FROM products
        WHERE organization_id = ${organizationId} AND is_archived = ${isArchived}::boolean
          AND (created_at, id) > (${after.createdAt}, ${after.id})
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    change: (organizationId: OrganizationId, id: ProductId, change: ProductChange) =>
      products.first(sql`
        UPDATE products SET ${sql.update({ id, ...givenColumns(change) })}
        WHERE organization_id = ${organizationId} AND id = ${id}
        RETURNING ${columns}
      `),

    /** Returns the names of those of the products that are the organization's and not archived. */
    findNames: (organizationId: OrganizationId, ids: ReadonlyArray<ProductId>) =>
      namedProducts.all(sql`
        SELECT id, name FROM products
        WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[]) AND NOT is_archived
      `),

    findOffers: (organizationId: OrganizationId, ids: ReadonlyArray<ProductId>) =>
      offers.all(sql`
        SELECT id, trim_scale(price)::text AS price, currency, ARRAY(
          SELECT p.bundle_id FROM bundle_products p
          JOIN bundles b ON b.organization_id = p.organization_id AND b.id = p.bundle_id
          WHERE p.organization_id = ${organizationId} AND p.product_id = products.id AND NOT b.is_archived
        ) AS bundle_ids
        FROM products WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
      `)
  }
})
