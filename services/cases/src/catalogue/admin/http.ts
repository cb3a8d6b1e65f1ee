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
      listProducts: ({ params, query }) => products.list(params.organizationId, query),
      changeProduct: ({ params, payload }) => products.change(params.organizationId, params.productId, payload),
      createForm: ({ params, payload }) => forms.create(params.organizationId, payload),
      listForms: ({ params, query }) => forms.list(params.organizationId, query),
      getForm: ({ params }) => forms.get(params.organizationId, params.formId),
      changeForm: ({ params, payload }) => forms.change(params.organizationId, params.formId, payload),
      createBundle: ({ params, payload }) => bundles.create(params.organizationId, payload),
      listBundles: ({ params, query }) => bundles.page(params.organizationId, query),
      getBundle: ({ params }) => bundles.whole(params.organizationId, params.bundleId),
      changeBundle: ({ params, payload }) => bundles.change(params.organizationId, params.bundleId, payload)
    })
  })
)
