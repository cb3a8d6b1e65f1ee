import { OperatorTokenRejected, operatorTokenRejected } from "@care/domain/http"
import { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { CallerLimits } from "./limits/CallerLimits.ts"
import type { TooManyAtOnce } from "./limits/InFlight.ts"
import { mebibyte } from "./mebibyte.ts"
import type { BodyTooLarge } from "./receiving/bodyErrors.ts"

const failure = (status: number, error: string, more: Readonly<Record<string, unknown>> = {}) =>
  HttpServerResponse.jsonUnsafe({ status, success: false, error, ...more }, { status })

/** 413: the body is larger than its endpoint takes. */
export const bodyTooLarge = ({ maxBytes }: BodyTooLarge): HttpServerResponse.HttpServerResponse =>
  failure(413, `Request body is larger than ${maxBytes / mebibyte} MiB`)

/** 408: the body did not come in time, or too slowly. The connection is closed. */
export const bodyTooSlow = ({ bytesPerSecond, requestMillis }: CallerLimits): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(
    failure(
      408,
      `Request body was not received in time: it has to come within ${requestMillis / 1000} seconds, and at ${bytesPerSecond} bytes a second at least`
    ),
    "connection",
    "close"
  )

/** 429: the caller has too many requests that are not answered yet. */
export const tooManyAtOnce = ({ limit }: TooManyAtOnce): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(
    failure(429, "Rate limit exceeded", {
      message: `At most ${limit} requests are answered at a time. Try again when one of them is answered.`,
      retryAfter: 1
    }),
    "retry-after",
    "1"
  )

/** 405: the path exists, the method does not. Where there is GET, there is HEAD. */
export const methodNotAllowed = (methods: ReadonlyArray<string>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(
    failure(405, "Method not allowed"),
    "allow",
    methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ")
  )

/** 401 of `/metrics`, in the form of the admin API. */
export const operatorOnly = HttpServerResponse.jsonUnsafe(
  Schema.encodeSync(operatorTokenRejected)(new OperatorTokenRejected()),
  { status: 401, contentType: "application/problem+json" }
)
