import { errorCodeHeader, operationUnknown } from "@care/domain/http"
import { HttpServerResponse } from "effect/http"
import type { CallerLimits } from "./CallerLimits.ts"
import type { TooManyAtOnce } from "./limits/index.ts"
import { mebibyte } from "./mebibyte.ts"
import type { BodyTooLarge } from "./receiving/index.ts"

/** Returns whether a path is one of the admin API, whose errors are problem details. */
export const isAdminPath = (path: string): boolean => path.startsWith("/admin/v1/")

// Returns an error with its code, in the form of the path's API: problem details, or a body of the partner API.
const failure = (
  path: string,
  status: number,
  code: string,
  problem: { readonly title: string; readonly detail: string },
  body: { readonly error: string; readonly message?: string; readonly retryAfter?: number }
): HttpServerResponse.HttpServerResponse => {
  const headers = { [errorCodeHeader]: code }
  return isAdminPath(path)
    ? HttpServerResponse.jsonUnsafe(
        { type: "about:blank", status, ...problem },
        { status, headers, contentType: "application/problem+json" }
      )
    : HttpServerResponse.jsonUnsafe({ status, success: false, ...body }, { status, headers })
}

/** 413 */
export const bodyTooLarge = (path: string, { maxBytes }: BodyTooLarge): HttpServerResponse.HttpServerResponse => {
  const error = `Request body is larger than ${maxBytes / mebibyte} MiB`
  return failure(path, 413, "BODY_TOO_LARGE", { title: "Request body too large", detail: `${error}.` }, { error })
}

/** 408. The connection is closed. */
export const bodyTooSlow = (
  path: string,
  { bytesPerSecond, requestMillis }: CallerLimits
): HttpServerResponse.HttpServerResponse => {
  const error = `Request body was not received in time: it has to come within ${requestMillis / 1000} seconds, and at ${bytesPerSecond} bytes a second at least`
  return HttpServerResponse.setHeader(
    failure(path, 408, "BODY_TOO_SLOW", { title: "Request body too slow", detail: `${error}.` }, { error }),
    "connection",
    "close"
  )
}

/** 429: the caller has too many requests that are not answered yet. */
export const tooManyAtOnce = (path: string, { limit }: TooManyAtOnce): HttpServerResponse.HttpServerResponse => {
  const error = "Rate limit exceeded"
  const message = `At most ${limit} requests are answered at a time. Try again when one of them is answered.`
  return HttpServerResponse.setHeader(
    failure(path, 429, "TOO_MANY_AT_ONCE", { title: error, detail: message }, { error, message, retryAfter: 1 }),
    "retry-after",
    "1"
  )
}

// Where GET is allowed, HEAD is too.
const allowedOf = (methods: ReadonlyArray<string>): string =>
  methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ")

/** 204 of OPTIONS. Pages of other sites get no permission: a key does not belong in a browser. */
export const allowedMethods = (methods: ReadonlyArray<string>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 204, headers: { allow: `${allowedOf(methods)}, OPTIONS` } })

/** 405: the path exists, the method does not. */
export const methodNotAllowed = (
  path: string,
  methods: ReadonlyArray<string>
): HttpServerResponse.HttpServerResponse => {
  const error = "Method not allowed"
  const allowed = allowedOf(methods)
  return HttpServerResponse.setHeader(
    failure(path, 405, "METHOD_NOT_ALLOWED", { title: error, detail: `Send one of ${allowed}.` }, { error }),
    "allow",
    allowed
  )
}

/** 404 */
export const pathUnknown = (path: string): HttpServerResponse.HttpServerResponse => {
  return failure(path, 404, "NOT_FOUND", operationUnknown, { error: operationUnknown.title })
}

/** 401 of `/metrics`, in the form of the admin API. */
export const metricsRefused = HttpServerResponse.jsonUnsafe(
  {
    type: "about:blank",
    title: "Unauthorized",
    status: 401,
    detail: "Send the header Authorization: Bearer <METRICS_TOKEN>."
  },
  {
    status: 401,
    contentType: "application/problem+json",
    headers: { [errorCodeHeader]: "METRICS_TOKEN_REJECTED", "www-authenticate": 'Bearer realm="care"' }
  }
)
