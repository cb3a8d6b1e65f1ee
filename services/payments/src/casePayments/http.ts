import { PaymentsApi } from "@care/domain/payments"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CasePayments } from "./CasePayments.ts"

export const CasePaymentsHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "casePayments",
  Effect.fnUntraced(function* (handlers) {
    const payments = yield* CasePayments
    return handlers.handleAll({
      prepare: ({ payload }) => payments.prepare(payload),
      release: ({ payload }) => payments.release(payload),
      record: ({ payload }) => Effect.map(payments.record(payload), (paymentId) => ({ paymentId }))
    })
  })
)
