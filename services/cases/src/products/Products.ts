import { randomUUID } from "node:crypto"
import type { OrganizationNotFound } from "@care/domain/auth"
import { type NewProduct, type Product, ProductNotFound } from "@care/domain/cases"
import { type OrganizationId, ProductId } from "@care/domain/ids"
import { Context, DateTime, Effect, Layer } from "effect"
import { Directory } from "../directory/Directory.ts"
import { makeProductsRepo } from "./ProductsRepo.ts"

export class Products extends Context.Service<
  Products,
  {
    readonly create: (
      organizationId: OrganizationId,
      product: NewProduct
    ) => Effect.Effect<Product, OrganizationNotFound>
    /** The names of products by id; fails when one is not the organization's own. */
    readonly names: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<ProductId>
    ) => Effect.Effect<ReadonlyMap<ProductId, string>, ProductNotFound>
  }
>()("@care/cases/products/Products") {
  static readonly layer = Layer.effect(
    Products,
    Effect.gen(function* () {
      const repo = yield* makeProductsRepo
      const directory = yield* Directory

      return Products.of({
        create: Effect.fn("Products.create")(function* (organizationId, given) {
          const { currency = null, description = null, name, price = null } = given
          yield* directory.requireOrganization(organizationId)
          const product: Product = {
            id: ProductId.make(randomUUID()),
            organizationId,
            name,
            description,
            price,
            currency,
            createdAt: yield* DateTime.nowAsDate
          }
          yield* repo.insert(product)
          return product
        }),
        names: Effect.fn("Products.names")(function* (organizationId, ids) {
          const found = yield* repo.findNames(organizationId, ids)
          const byId = new Map(found.map(({ id, name }) => [id, name]))
          const unknown = ids.find((id) => !byId.has(id))
          if (unknown !== undefined) return yield* new ProductNotFound({ productId: unknown })
          return byId
        })
      })
    })
  )
}
