import { Partner } from "@care/domain/http"
import { PaymentsApi } from "@care/domain/payments"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { PaymentSetups } from "./PaymentSetups.ts"

const completion = HttpApiBuilder.group(
  PaymentsApi,
  "paymentSetup",
  Effect.fnUntraced(function* (handlers) {
    const setups = yield* PaymentSetups
    return handlers.handleAll({
      completeSetup: Effect.fnUntraced(function* ({ headers, payload }) {
        yield* setups.complete((yield* Partner).organizationId, payload, headers["idempotency-key"])
        return {}
      })
    })
  })
)

const info = HttpApiBuilder.group(
  PaymentsApi,
  "paymentInfo",
  Effect.fnUntraced(function* (handlers) {
    const setups = yield* PaymentSetups
    return handlers.handleAll({
      updatePaymentInfo: Effect.fnUntraced(function* ({ headers, payload }) {
        yield* setups.updateInfo((yield* Partner).organizationId, payload, headers["idempotency-key"])
        return { data: {} }
      })
    })
  })
)

export const PaymentSetupHandlers = Layer.mergeAll(completion, info)
