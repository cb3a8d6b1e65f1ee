import { DocumentedErrors, encodeError, requestInvalid } from "@care/domain/http"
import { Cause, Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiError from "effect/http-api/HttpApiError"
import { defectError } from "./defectError.ts"
import { readJsonBody } from "./readJsonBody.ts"

// What is away is mostly back by then.
const retryAfter = { "retry-after": "2" }

/**
 * An error in the form that the endpoint's contract documents for it; a bare 500 when it documents none. A 503 says when to
 * try again.
 */
export const answerError = (endpoint: HttpApiEndpoint.Top, error: unknown): HttpServerResponse.HttpServerResponse => {
  const encoded = encodeError(endpoint, error)
  return encoded === undefined
    ? HttpServerResponse.empty({ status: 500 })
    : HttpServerResponse.jsonUnsafe(encoded.body, {
        status: encoded.status,
        contentType: encoded.contentType,
        ...(encoded.status === 503 && { headers: retryAfter })
      })
}

const requestParts = { Params: "params", Query: "query", Headers: "headers", Payload: "payload" } as const

const isRequestPart = (kind: string): kind is keyof typeof requestParts => Object.hasOwn(requestParts, kind)

/**
 * Answers what no handler answers, from the error list of the endpoint's contract: a body that is not JSON to be read, a
 * request that does not decode, a defect (500, logged, nothing of it shown) and a part of the suite that is down (503).
 */
export const layerDocumentedErrors = Layer.succeed(DocumentedErrors, (httpEffect, { endpoint }) => {
  const answered =
    endpoint.payload.size === 0
      ? httpEffect
      : Effect.matchEffect(readJsonBody, {
          onFailure: (error) => Effect.succeed(answerError(endpoint, error)),
          onSuccess: (request) => Effect.provideService(httpEffect, HttpServerRequest.HttpServerRequest, request)
        })
  return Effect.catchCause(answered, (cause) => {
    if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
    const failure = Cause.squash(cause)
    const isUndecoded = HttpApiError.HttpApiSchemaError.is(failure)
    if (isUndecoded && isRequestPart(failure.kind)) {
      return Effect.succeed(answerError(endpoint, requestInvalid(requestParts[failure.kind], failure.cause)))
    }
    return isUndecoded || Cause.hasDies(cause)
      ? Effect.map(defectError(cause), (error) => answerError(endpoint, error))
      : Effect.failCause(cause)
  })
})
