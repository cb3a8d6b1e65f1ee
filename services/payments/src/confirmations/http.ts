import { Partner } from "@care/domain/http"
import { PaymentsApi } from "@care/domain/payments"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Confirmations } from "./Confirmations.ts"

export const ConfirmationsHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "paymentConfirmations",
  Effect.fnUntraced(function* (handlers) {
    const confirmations = yield* Confirmations
    return handlers.handleAll({
      confirmPayment: Effect.fnUntraced(function* ({ headers, payload }) {
        yield* confirmations.confirm((yield* Partner).organizationId, payload, headers["idempotency-key"])
        return {}
      })
    })
  })
)
