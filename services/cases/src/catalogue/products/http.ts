import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { asSlowRead } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Products } from "./Products.ts"

export const ProductsHandlers = HttpApiBuilder.group(
  CasesApi,
  "products",
  Effect.fnUntraced(function* (handlers) {
    const products = yield* Products
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        return yield* asSlowRead(products.page(organizationId, query))
      })
    })
  })
)

/** Tells payments whether an organization has a product, archived or not. */
export const ProductLookupHandlers = HttpApiBuilder.group(
  CasesApi,
  "productLookup",
  Effect.fnUntraced(function* (handlers) {
    const products = yield* Products
    return handlers.handleAll({
      product: ({ params: { organizationId, productId } }) =>
        Effect.map(products.offers(organizationId, [productId]), (offers) => ({ isKnown: offers.has(productId) }))
    })
  })
)
