import { Partner } from "@care/domain/http"
import { PaymentsApi } from "@care/domain/payments"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { AdminPromoCodes } from "./AdminPromoCodes.ts"
import { PromoCodes } from "./PromoCodes.ts"

export const PromoCodesHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "promoCodes",
  Effect.fnUntraced(function* (handlers) {
    const promoCodes = yield* PromoCodes
    return handlers.handleAll({
      check: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        return { data: yield* promoCodes.check(organizationId, query.code, query.product_bundle_id) }
      })
    })
  })
)

export const AdminPromoCodesHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "adminPromoCodes",
  Effect.fnUntraced(function* (handlers) {
    const promoCodes = yield* AdminPromoCodes
    return handlers.handleAll({
      create: ({ payload }) => promoCodes.create(payload),
      list: ({ query }) => promoCodes.list(query),
      change: ({ params, payload }) => promoCodes.change(params.promoCodeId, payload)
    })
  })
)
