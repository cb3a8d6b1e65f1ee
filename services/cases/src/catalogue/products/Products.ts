import { randomUUID } from "node:crypto"
import type { OrganizationNotFound } from "@care/domain/auth"
import {
  type CatalogueQuery,
  type NewProduct,
  type Product,
  type ProductChange,
  ProductNotFound
} from "@care/domain/cases"
import { type OrganizationId, ProductId } from "@care/domain/ids"
import { oldest, type Page, pageFrom, Time } from "@care/service-kit"
import { Clock, Context, Effect, Layer } from "effect"
import { Directory } from "../../case/index.ts"
import { makeProductsRepo, type ProductOffer } from "./ProductsRepo.ts"

// For all organizations together. Beyond it, the names that were read first are dropped.
const maxKnownNames = 10_000

// Within this time other processes know that a product was renamed or archived.
const knownMillis = 3000

export class Products extends Context.Service<
  Products,
  {
    readonly create: (
      organizationId: OrganizationId,
      product: NewProduct
    ) => Effect.Effect<Product, OrganizationNotFound>
    readonly list: (
      organizationId: OrganizationId,
      query: CatalogueQuery
    ) => Effect.Effect<Page<Product>, OrganizationNotFound>
    /** Does the same for an organization that is known to exist. */
    readonly page: (organizationId: OrganizationId, query: CatalogueQuery) => Effect.Effect<Page<Product>>
    readonly change: (
      organizationId: OrganizationId,
      id: ProductId,
      change: ProductChange
    ) => Effect.Effect<Product, ProductNotFound>
    /** Returns the names of products by id. Fails when one is archived or not the organization's own. */
    readonly names: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<ProductId>
    ) => Effect.Effect<ReadonlyMap<ProductId, string>, ProductNotFound>
    /** Returns the prices and bundles of products of the organization, by id. Archived ones are among them. */
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

      const knownNames = new Map<string, { readonly name: string; readonly until: number }>()
      const keyOf = (organizationId: OrganizationId, id: ProductId) => `${organizationId} ${id}`

      const remember = (key: string, name: string, now: number) => {
        knownNames.delete(key)
        knownNames.set(key, { name, until: now + knownMillis })
        for (const oldest of knownNames.keys()) {
          if (knownNames.size <= maxKnownNames) return
          knownNames.delete(oldest)
        }
      }

      const page = Effect.fn("Products.page")(function* (
        organizationId: OrganizationId,
        { cursor = oldest, isArchived, limit }: CatalogueQuery
      ) {
        return pageFrom(yield* repo.page(organizationId, isArchived === "true", cursor, limit + 1), limit)
      })

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
            isArchived: false,
            createdAt: yield* Time.nowAsDate
          }
          return yield* repo.insert(product)
        }),
        list: (organizationId, query) =>
          Effect.andThen(directory.requireOrganization(organizationId), page(organizationId, query)),
        page,
        change: Effect.fn("Products.change")(function* (organizationId, id, change) {
          const changed = yield* repo.change(organizationId, id, change)
          knownNames.delete(keyOf(organizationId, id))
          return yield* Effect.fromOption(changed, () => new ProductNotFound({ productId: id }))
        }),
        names: Effect.fn("Products.names")(function* (organizationId, ids) {
          const now = yield* Clock.currentTimeMillis
          const byId = new Map<ProductId, string>()
          const missing = ids.filter((id) => {
            const known = knownNames.get(keyOf(organizationId, id))
            if (known === undefined || known.until <= now) return true
            byId.set(id, known.name)
            return false
          })
          if (missing.length === 0) return byId
          for (const { id, name } of yield* repo.findNames(organizationId, missing)) {
            remember(keyOf(organizationId, id), name, now)
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
