import { DocumentedErrors, encodeError, InternalError, requestInvalid, Unavailable } from "@care/domain"
import { Cause, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { safeCause } from "../telemetry/safeCause.ts"
import { isUnavailable } from "./isUnavailable.ts"
import { RequestId } from "./RequestId.ts"

const answer = (endpoint: HttpApiEndpoint.Top, error: unknown): HttpServerResponse.HttpServerResponse => {
  const encoded = encodeError(endpoint, error)
  return encoded === undefined
    ? HttpServerResponse.empty({ status: 500 })
    : HttpServerResponse.jsonUnsafe(encoded.body, { status: encoded.status, contentType: encoded.contentType })
}

const requestParts = { Params: "params", Query: "query", Headers: "headers", Payload: "payload" } as const

const isRequestPart = (kind: string): kind is keyof typeof requestParts => Object.hasOwn(requestParts, kind)

/**
 * Answers what no handler answers, from the error list of the endpoint's contract: a request that does not decode, a
 * defect (500, logged, nothing of it shown) and a part of the suite that is down (503).
 */
export const layerDocumentedErrors = Layer.succeed(DocumentedErrors, (httpEffect, { endpoint }) =>
  Effect.catchCause(httpEffect, (cause) => {
    if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
    const failure = Cause.squash(cause)
    if (HttpApiError.HttpApiSchemaError.is(failure) && isRequestPart(failure.kind)) {
      return Effect.succeed(answer(endpoint, requestInvalid(requestParts[failure.kind], failure.cause)))
    }
    if (!Cause.hasDies(cause) && !HttpApiError.HttpApiSchemaError.is(failure)) return Effect.failCause(cause)
    return Effect.flatMap(RequestId, (requestId) =>
      isUnavailable(failure)
        ? Effect.as(
            Effect.logWarning("A dependency did not answer", safeCause(cause)),
            answer(endpoint, new Unavailable({ requestId }))
          )
        : Effect.as(
            Effect.logError("Request failed", safeCause(cause)),
            answer(endpoint, new InternalError({ requestId }))
          )
    )
  })
)
