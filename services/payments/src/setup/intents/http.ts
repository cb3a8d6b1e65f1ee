import { Partner } from "@care/domain/http"
import { PaymentsApi } from "@care/domain/payments"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Intents } from "./Intents.ts"

export const IntentsHandlers = HttpApiBuilder.group(
  PaymentsApi,
  "intents",
  Effect.fnUntraced(function* (handlers) {
    const intents = yield* Intents
    return handlers.handleAll({
      createPaymentIntent: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        const secret = yield* intents.createPayment(organizationId, payload, headers["idempotency-key"])
        return { data: { paymentIntentSecret: secret } }
      }),
      createSetupIntent: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        const secret = yield* intents.createSetup(organizationId, payload, headers["idempotency-key"])
        return { paymentSecret: secret, data: { setupIntentSecret: secret } }
      })
    })
  })
)
