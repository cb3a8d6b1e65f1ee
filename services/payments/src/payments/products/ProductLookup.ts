import { productLookupApi } from "@care/domain/cases"
import type { OrganizationId, ProductId } from "@care/domain/ids"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"

/** The products of organizations, which the service cases owns. */
export class ProductLookup extends Context.Service<
  ProductLookup,
  {
    /** Returns whether a product belongs to the organization. */
    readonly isOf: (organizationId: OrganizationId, productId: ProductId) => Effect.Effect<boolean>
  }
>()("@care/payments/products/ProductLookup") {
  static readonly layer = Layer.effect(
    ProductLookup,
    Effect.gen(function* () {
      const cases = yield* peer(productLookupApi, "productLookup")
      return ProductLookup.of({
        isOf: Effect.fn("ProductLookup.isOf")(function* (organizationId, productId) {
          const { isKnown } = yield* Effect.orDie(cases.product({ params: { organizationId, productId } }))
          return isKnown
        })
      })
    })
  )
}
