import { CallbackRejected, PharmacyEvent, PharmacySignature } from "@care/domain/cases"
import { answerError } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { PharmacySettings } from "./PharmacySettings.ts"

/** Checks the pharmacy's signature of the raw body, with any of the secrets. The signature may be at most 5 minutes old. */
export const layerPharmacySignature = Layer.effect(
  PharmacySignature,
  Effect.map(
    PharmacySettings,
    ({ webhooks }) =>
      (httpEffect, { endpoint }) =>
        Effect.gen(function* () {
          const { headers, text } = yield* HttpServerRequest.HttpServerRequest
          const body = yield* Effect.orDie(text)
          const matching = yield* Effect.filter(webhooks, (webhook) =>
            Effect.isSuccess(Effect.try(() => webhook.verify(body, headers, { jsonParse: false })))
          )
          return matching.length > 0
            ? yield* Effect.provideService(httpEffect, PharmacyEvent, { id: headers["webhook-id"] ?? "" })
            : answerError(endpoint, new CallbackRejected())
        })
  )
)
