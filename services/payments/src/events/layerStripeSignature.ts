import { EventRejected, StripeSignature } from "@care/domain/payments"
import { answerError, OnTestAccount } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { Stripe } from "../stripe/index.ts"

/** Checks Stripe's signature: of the raw body, by any of the secrets, at most 5 minutes old. It tells the account of the event. */
export const layerStripeSignature = Layer.effect(
  StripeSignature,
  Effect.map(
    Stripe,
    ({ signedFor }) =>
      (httpEffect, { endpoint }) =>
        Effect.gen(function* () {
          const { headers, text } = yield* HttpServerRequest.HttpServerRequest
          const body = yield* Effect.orDie(text)
          const account = signedFor(body, headers["stripe-signature"] ?? "")
          return account === undefined
            ? answerError(endpoint, new EventRejected())
            : yield* Effect.provideService(httpEffect, OnTestAccount, account === "test")
        })
  )
)
