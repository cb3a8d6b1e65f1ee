import type { Product } from "@care/domain/cases"
import { type OrganizationId, ProductId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const namedProducts = rowsOf(Schema.Struct({ id: ProductId, name: Schema.String }))

export const makeProductsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    insert: (product: Product) => execute(sql`INSERT INTO products ${sql.insert({ ...product })}`),

    /** Those of the ids that are products of the organization. */
    findNames: (organizationId: OrganizationId, ids: ReadonlyArray<ProductId>) =>
      namedProducts.all(
        sql`SELECT id, name FROM products WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])`
      )
  }
})
