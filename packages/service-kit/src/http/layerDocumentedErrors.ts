import {
  DocumentedErrors,
  EntityTag,
  encodeError,
  errorCodeHeader,
  errorCodeOf,
  QuotaReached,
  requestInvalid,
  TestKeyNeeded
} from "@care/domain/http"
import { Cause, Context, Effect, Layer, Predicate } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiError from "effect/http-api/HttpApiError"
import { movedAnswer, movedTo } from "../moves/OrganizationMoved.ts"
import { SandboxReset, sandboxResetHeader } from "../sql/requireNotReset.ts"
import { defectError } from "./defectError.ts"
import { readJsonBody } from "./readJsonBody.ts"
import { withEntityTag } from "./withEntityTag.ts"

// The `retry-after` of a 503: how long most outages of a dependency take.
const unavailableRetrySeconds = 2

// Returns the seconds until a retry makes sense, if one does.
const retryAfterOf = (error: unknown, status: number): number | undefined => {
  if (Predicate.hasProperty(error, "retryAfter") && Predicate.isNumber(error.retryAfter)) return error.retryAfter
  return status === 503 ? unavailableRetrySeconds : undefined
}

/**
 * Answers an error as the contract documents it, with its code, or with an empty 500. A 503 and an error with `retryAfter` get the header.
 */
export const answerError = (endpoint: HttpApiEndpoint.Top, error: unknown): HttpServerResponse.HttpServerResponse => {
  const encoded = encodeError(endpoint, error)
  if (encoded === undefined) return HttpServerResponse.empty({ status: 500 })
  const seconds = retryAfterOf(error, encoded.status)
  const code = errorCodeOf(error)
  return HttpServerResponse.jsonUnsafe(encoded.body, {
    status: encoded.status,
    contentType: encoded.contentType,
    headers: {
      ...(code !== undefined && { [errorCodeHeader]: code }),
      ...(seconds !== undefined && { "retry-after": String(seconds) })
    }
  })
}

const requestParts = { Params: "params", Query: "query", Headers: "headers", Payload: "payload" } as const

const isRequestPart = (kind: string): kind is keyof typeof requestParts => Object.hasOwn(requestParts, kind)

/**
 * Answers errors, unreadable bodies, requests that do not decode, defects (500) and unavailable dependencies (503) as the contract documents.
 * What concerns an organization of another cell is answered with 421 and the cell, to the gateway.
 */
export const layerDocumentedErrors = Layer.succeed(DocumentedErrors, (httpEffect, { endpoint }) => {
  const httpAnswer =
    endpoint.payload.size === 0
      ? Context.get(endpoint.annotations, EntityTag)
        ? Effect.zipWith(HttpServerRequest.HttpServerRequest, httpEffect, ({ headers }, response) =>
            withEntityTag(headers["if-none-match"], response)
          )
        : httpEffect
      : Effect.matchEffect(readJsonBody, {
          onFailure: (error) => Effect.succeed(answerError(endpoint, error)),
          onSuccess: (request) => Effect.provideService(httpEffect, HttpServerRequest.HttpServerRequest, request)
        })
  return Effect.catchCause(httpAnswer, (cause) => {
    if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
    const failure = Cause.squash(cause)
    const cell = movedTo(failure)
    if (cell !== undefined) return Effect.succeed(movedAnswer(cell))
    const isUndecoded = HttpApiError.HttpApiSchemaError.is(failure)
    if (isUndecoded && isRequestPart(failure.kind)) {
      return Effect.succeed(answerError(endpoint, requestInvalid(requestParts[failure.kind], failure.cause)))
    }
    // Any endpoint that stores something may reach a quota, and those of sandboxes need a test key.
    if (failure instanceof QuotaReached || failure instanceof TestKeyNeeded)
      return Effect.succeed(answerError(endpoint, failure))
    if (isUndecoded || Cause.hasDies(cause)) {
      const answer = Effect.map(defectError(cause), (error) => answerError(endpoint, error))
      return failure instanceof SandboxReset
        ? Effect.map(answer, HttpServerResponse.setHeader(sandboxResetHeader, "true"))
        : answer
    }
    // The library encodes an error as well, but without these headers.
    return Effect.succeed(answerError(endpoint, failure))
  })
})
