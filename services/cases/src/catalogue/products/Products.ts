import { randomUUID } from "node:crypto"
import type { OrganizationNotFound } from "@care/domain/auth"
import { type NewProduct, type Product, ProductNotFound } from "@care/domain/cases"
import { type OrganizationId, ProductId } from "@care/domain/ids"
import { Context, DateTime, Effect, Layer } from "effect"
import { Directory } from "../../case/index.ts"
import { makeProductsRepo, type ProductOffer } from "./ProductsRepo.ts"

// Of all organizations together; then those that were read first are read again.
const mostKnown = 10_000

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
    /** What products of the organization cost and are bundled with, by id. */
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

      // A product is neither changed nor removed once it is stored, so a name that was read stays true.
      const knownNames = new Map<string, string>()
      const keyOf = (organizationId: OrganizationId, id: ProductId) => `${organizationId} ${id}`

      const remember = (key: string, name: string) => {
        knownNames.set(key, name)
        for (const oldest of knownNames.keys()) {
          if (knownNames.size <= mostKnown) return
          knownNames.delete(oldest)
        }
      }

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
          const byId = new Map<ProductId, string>()
          const others = ids.filter((id) => {
            const name = knownNames.get(keyOf(organizationId, id))
            if (name !== undefined) byId.set(id, name)
            return name === undefined
          })
          if (others.length === 0) return byId
          for (const { id, name } of yield* repo.findNames(organizationId, others)) {
            remember(keyOf(organizationId, id), name)
            byId.set(id, name)
          }
          const unknown = others.find((id) => !byId.has(id))
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
