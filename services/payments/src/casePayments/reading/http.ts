import { Partner } from "@care/domain/http"
import { PaymentsApi } from "@care/domain/payments"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { PaymentReading } from "./PaymentReading.ts"

export const PaymentReadingHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "paymentReading",
  Effect.fnUntraced(function* (handlers) {
    const payments = yield* PaymentReading
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* Partner
        return yield* payments.list(organizationId, params.caseId, query)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Partner
        return { data: yield* payments.get(organizationId, params.caseId, params.paymentId) }
      })
    })
  })
)
