import { randomUUID } from "node:crypto"
import type { OrganizationNotFound } from "@care/domain/auth"
import { type NewProduct, type Product, ProductNotFound } from "@care/domain/cases"
import { type OrganizationId, ProductId } from "@care/domain/ids"
import { Context, DateTime, Effect, Layer } from "effect"
import { Directory } from "../../case/index.ts"
import { makeProductsRepo, type ProductOffer } from "./ProductsRepo.ts"

// For all organizations together. Beyond it, the names that were read first are dropped.
const maxKnownNames = 10_000

export class Products extends Context.Service<
  Products,
  {
    readonly create: (
      organizationId: OrganizationId,
      product: NewProduct
    ) => Effect.Effect<Product, OrganizationNotFound>
    /** Returns the names of products by id. Fails when one is not the organization's own. */
    readonly names: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<ProductId>
    ) => Effect.Effect<ReadonlyMap<ProductId, string>, ProductNotFound>
    /** Returns the prices and bundles of products of the organization, by id. */
    readonly offers: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<ProductId>
    ) => Effect.Effect<ReadonlyMap<ProductId, ProductOffer>>
  }
>()("@care/cases/products/Products") {
  static readonly layer = Layer.effect(
    Products,
    Effect.gen(function* () {
      const repo = yield* makeProductsRepo
      const directory = yield* Directory

      // A product is neither changed nor removed once it is stored, so a name that was read stays valid.
      const knownNames = new Map<string, string>()
      const keyOf = (organizationId: OrganizationId, id: ProductId) => `${organizationId} ${id}`

      const remember = (key: string, name: string) => {
        knownNames.set(key, name)
        for (const oldest of knownNames.keys()) {
          if (knownNames.size <= maxKnownNames) return
          knownNames.delete(oldest)
        }
      }

      return Products.of({
        create: Effect.fn("Products.create")(function* (organizationId, input) {
          const { currency = null, description = null, name, price = null } = input
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
          const byId = new Map<ProductId, string>()
          const missing = ids.filter((id) => {
            const name = knownNames.get(keyOf(organizationId, id))
            if (name !== undefined) byId.set(id, name)
            return name === undefined
          })
          if (missing.length === 0) return byId
          for (const { id, name } of yield* repo.findNames(organizationId, missing)) {
            remember(keyOf(organizationId, id), name)
            byId.set(id, name)
          }
          const unknown = missing.find((id) => !byId.has(id))
          if (unknown !== undefined) return yield* new ProductNotFound({ productId: unknown })
          return byId
        }),
        offers: Effect.fn("Products.offers")(function* (organizationId, ids) {
          const found = yield* repo.findOffers(organizationId, ids)
          return new Map(found.map((offer) => [offer.id, offer]))
        })
      })
    })
  )
}
