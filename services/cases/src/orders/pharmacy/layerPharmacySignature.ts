import { CallbackRejected, PharmacyEvent, PharmacySignature } from "@care/domain/cases"
import { answerError, OnTestAccount, type ThirdPartyAccount } from "@care/service-kit"
import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Webhook } from "standardwebhooks"
import { PharmacySettings } from "./PharmacySettings.ts"

/**
 * Checks the pharmacy's signature of the raw body, with any of the secrets. The signature may be at most 5 minutes old. It tells the account
 * of the callback.
 */
export const layerPharmacySignature = Layer.effect(
  PharmacySignature,
  Effect.map(PharmacySettings, (accounts) => {
    const webhooksOf = ({ webhookSecrets }: ThirdPartyAccount) =>
      webhookSecrets.map((secret) => new Webhook(Redacted.value(secret)))
    const [live, test] = [webhooksOf(accounts.live), webhooksOf(accounts.test)]
    return (httpEffect, { endpoint }) =>
      Effect.gen(function* () {
        const { headers, text } = yield* HttpServerRequest.HttpServerRequest
        const body = yield* Effect.orDie(text)
        const isSignedFor = Effect.fnUntraced(function* (webhooks: ReadonlyArray<Webhook>) {
          const matching = yield* Effect.filter(webhooks, (webhook) =>
            Effect.isSuccess(Effect.try(() => webhook.verify(body, headers, { jsonParse: false })))
          )
          return matching.length > 0
        })
        const [isLive, isTest] = [yield* isSignedFor(live), yield* isSignedFor(test)]
        return isLive || isTest
          ? yield* httpEffect.pipe(
              Effect.provideService(PharmacyEvent, { id: headers["webhook-id"] ?? "" }),
              Effect.provideService(OnTestAccount, isTest)
            )
          : answerError(endpoint, new CallbackRejected())
      })
  })
)
