import { CasesApi } from "@care/domain/cases"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Products } from "./Products.ts"

/** Tells payments whether an organization has a product. */
export const ProductLookupFeature = HttpApiBuilder.group(
  CasesApi,
  "productLookup",
  Effect.fnUntraced(function* (handlers) {
    const products = yield* Products
    return handlers.handleAll({
      product: ({ params: { organizationId, productId } }) =>
        Effect.map(Effect.isSuccess(products.names(organizationId, [productId])), (isKnown) => ({ isKnown }))
    })
  })
).pipe(Layer.provide(Products.layer))
