import { Partner } from "@care/domain/http"
import { PaymentsApi } from "@care/domain/payments"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { NewPayments } from "./NewPayments.ts"

export const NewPaymentsHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "newPayments",
  Effect.fnUntraced(function* (handlers) {
    const payments = yield* NewPayments
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { organizationId } = yield* Partner
        const result = yield* payments.create(organizationId, params.caseId, payload, headers["idempotency-key"])
        return { data: { result } }
      })
    })
  })
)
