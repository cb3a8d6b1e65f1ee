import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Bundles } from "../bundles/Bundles.ts"
import { Forms } from "../forms/Forms.ts"
import { Products } from "../products/Products.ts"

export const CatalogueHandlers = HttpApiBuilder.group(
  CasesApi,
  "catalogue",
  Effect.fnUntraced(function* (handlers) {
    const bundles = yield* Bundles
    const forms = yield* Forms
    const products = yield* Products
    return handlers.handleAll({
      createProduct: ({ params, payload }) => products.create(params.organizationId, payload),
      createForm: ({ params, payload }) => forms.create(params.organizationId, payload),
      createBundle: ({ params, payload }) => bundles.create(params.organizationId, payload)
    })
  })
)
