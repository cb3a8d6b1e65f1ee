import { OrganizationId, type Product, ProductId } from "@care/domain"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

const NamedProduct = Schema.Struct({ id: ProductId, name: Schema.String })
export type NamedProduct = typeof NamedProduct.Type

/** SQL of products. */
export class ProductsRepo extends Context.Service<
  ProductsRepo,
  {
    readonly insert: (product: Product) => Effect.Effect<void>
    /** Those of the ids that are products of the organization. */
    readonly findNames: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<ProductId>
    ) => Effect.Effect<ReadonlyArray<NamedProduct>>
  }
>()("@care/cases/products/ProductsRepo") {
  static readonly layer = Layer.effect(
    ProductsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const findNames = SqlSchema.findAll({
        Request: Schema.Struct({ organizationId: OrganizationId, ids: Schema.Array(ProductId) }),
        Result: NamedProduct,
        execute: ({ ids, organizationId }) =>
          sql`SELECT id, name FROM products WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])`
      })
      return ProductsRepo.of({
        insert: (product) => Effect.orDie(sql`INSERT INTO products ${sql.insert({ ...product })}`),
        findNames: (organizationId, ids) => Effect.orDie(findNames({ organizationId, ids }))
      })
    })
  )
}
