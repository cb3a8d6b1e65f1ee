import { ProviderEventRejected, ProviderSignature } from "@care/domain/scheduling"
import { answerError, OnTestAccount, type ThirdPartyAccount } from "@care/service-kit"
import { Clock, Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { ProviderSettings } from "../../provider/index.ts"
import { hasSigned } from "./hasSigned.ts"

/** Checks the scheduling provider's signature: of the raw body, by any of the secrets. It tells the account of the event. */
export const layerProviderSignature = Layer.effect(
  ProviderSignature,
  Effect.map(
    ProviderSettings,
    ({ live, test }) =>
      (httpEffect, { endpoint }) =>
        Effect.gen(function* () {
          const { headers, text } = yield* HttpServerRequest.HttpServerRequest
          const body = yield* Effect.orDie(text)
          const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          const signature = headers["calendly-webhook-signature"] ?? ""
          const isSignedFor = ({ webhookSecrets }: ThirdPartyAccount) =>
            webhookSecrets.some((secret) => hasSigned(Redacted.value(secret), body, signature, now))
          const account = isSignedFor(live) ? live : isSignedFor(test) ? test : undefined
          return account === undefined
            ? answerError(endpoint, new ProviderEventRejected())
            : yield* Effect.provideService(httpEffect, OnTestAccount, account === test)
        })
  )
)
