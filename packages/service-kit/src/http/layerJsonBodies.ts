import { Effect, type Layer } from "effect"
import { Headers, HttpRouter, HttpServerRequest } from "effect/http"

const isJson = (contentType: string | undefined) =>
  contentType === undefined || /^application\/json\b/i.test(contentType)

/**
 * Reads every body as JSON, whatever its content type says: a body that is none gets the validation body of its
 * endpoint, and a caller who forgot the header is understood.
 */
export const layerJsonBodies: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.middleware(
  (httpEffect) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      isJson(request.headers["content-type"])
        ? httpEffect
        : Effect.provideService(
            httpEffect,
            HttpServerRequest.HttpServerRequest,
            request.modify({ headers: Headers.set(request.headers, "content-type", "application/json") })
          )
    ),
  { global: true }
)
