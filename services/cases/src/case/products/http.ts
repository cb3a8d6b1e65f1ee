import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CaseProducts } from "./CaseProducts.ts"

export const CaseProductsHandlers = HttpApiBuilder.group(
  CasesApi,
  "caseProducts",
  Effect.fnUntraced(function* (handlers) {
    const products = yield* CaseProducts
    return handlers.handleAll({
      update: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { organizationId } = yield* Partner
        yield* products.update(organizationId, params.caseId, payload.caseProductInput, headers["idempotency-key"])
        return { data: {} }
      })
    })
  })
)
