import { EventRejected, StripeSignature } from "@care/domain/payments"
import { answerError } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { Stripe } from "../stripe/index.ts"

/** Checks Stripe's signature: of the raw body, by any of the secrets, at most 5 minutes old. */
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
