import { CasesApi } from "@care/domain/cases"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Products } from "./Products.ts"

/** Tells payments whether an organization has a product, archived or not. */
export const ProductLookupFeature = HttpApiBuilder.group(
  CasesApi,
  "productLookup",
  Effect.fnUntraced(function* (handlers) {
    const products = yield* Products
    return handlers.handleAll({
      product: ({ params: { organizationId, productId } }) =>
        Effect.map(products.offers(organizationId, [productId]), (offers) => ({ isKnown: offers.has(productId) }))
    })
  })
).pipe(Layer.provide(Products.layer))
