import { PaymentsApi } from "@care/domain/payments"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { SavedMethods } from "../customers/index.ts"
import { CasePayments } from "./CasePayments.ts"

export const CasePaymentsHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "casePayments",
  Effect.fnUntraced(function* (handlers) {
    const payments = yield* CasePayments
    const methods = yield* SavedMethods
    return handlers.handleAll({
      prepare: ({ payload }) => payments.prepare(payload),
      release: ({ payload }) => payments.release(payload),
      shippingAddress: ({ params }) =>
        Effect.map(methods.address(params.organizationId, params.userId), (reported) => ({ reported })),
      record: ({ payload }) => Effect.map(payments.record(payload), (paymentId) => ({ paymentId }))
    })
  })
)
