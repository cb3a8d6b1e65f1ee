import { Partner } from "@care/domain/http"
import { PaymentsApi } from "@care/domain/payments"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { PaymentSetups } from "./PaymentSetups.ts"

export const PaymentSetupHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "paymentSetup",
  Effect.fnUntraced(function* (handlers) {
    const setups = yield* PaymentSetups
    return handlers.handleAll({
      completeSetup: Effect.fnUntraced(function* ({ headers, payload }) {
        yield* setups.complete((yield* Partner).organizationId, payload, headers["idempotency-key"])
        return {}
      }),
      updatePaymentInfo: Effect.fnUntraced(function* ({ headers, payload }) {
        yield* setups.updateInfo((yield* Partner).organizationId, payload, headers["idempotency-key"])
        return { data: {} }
      })
    })
  })
)
