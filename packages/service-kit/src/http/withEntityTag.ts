import { createHash } from "node:crypto"
import type { HttpServerRequest } from "effect/http"
import { HttpServerResponse } from "effect/http"
import { isKnownTag } from "./isKnownTag.ts"

/** Adds the `ETag` of its body to an answer of 200, or returns 304 without a body if the request knows it. */
export const withEntityTag = (
  { headers }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  if (response.status !== 200 || response.body._tag !== "Uint8Array") return response
  const etag = `"${createHash("sha256").update(response.body.body).digest("base64url")}"`
  return isKnownTag(etag, headers["if-none-match"])
    ? HttpServerResponse.empty({ status: 304, headers: { etag } })
    : HttpServerResponse.setHeader(response, "etag", etag)
}
