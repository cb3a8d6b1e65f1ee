import { EventRejected, StripeSignature } from "@care/domain/payments"
import { answerError } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { Stripe } from "../stripe/index.ts"

/** The check of what Stripe signed: the body as it came, by any of the secrets, within 5 minutes. */
export const layerStripeSignature = Layer.effect(
  StripeSignature,
  Effect.map(
    Stripe,
    ({ hasSigned }) =>
      (httpEffect, { endpoint }) =>
        Effect.gen(function* () {
          const { headers, text } = yield* HttpServerRequest.HttpServerRequest
          const body = yield* Effect.orDie(text)
          return hasSigned(body, headers["stripe-signature"] ?? "")
            ? yield* httpEffect
            : answerError(endpoint, new EventRejected())
        })
  )
)
