import { CallbackRejected, PharmacyEvent, PharmacySignature } from "@care/domain/cases"
import { answerError } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { PharmacySettings } from "./PharmacySettings.ts"

/** The check of what the pharmacy signed: the body as it came, by any of the secrets, within 5 minutes. */
export const layerPharmacySignature = Layer.effect(
  PharmacySignature,
  Effect.map(
    PharmacySettings,
    ({ webhooks }) =>
      (httpEffect, { endpoint }) =>
        Effect.gen(function* () {
          const { headers, text } = yield* HttpServerRequest.HttpServerRequest
          const body = yield* Effect.orDie(text)
          const signers = yield* Effect.filter(webhooks, (webhook) =>
            Effect.isSuccess(Effect.try(() => webhook.verify(body, headers, { jsonParse: false })))
          )
          return signers.length > 0
            ? yield* Effect.provideService(httpEffect, PharmacyEvent, { id: headers["webhook-id"] ?? "" })
            : answerError(endpoint, new CallbackRejected())
        })
  )
)
