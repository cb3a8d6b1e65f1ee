import { createHash } from "node:crypto"
import { Effect, type Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { isKnownTag } from "./isKnownTag.ts"

const notModified = (etag: string) => HttpServerResponse.empty({ status: 304, headers: { etag } })

/**
 * Adds the `ETag` of its body to an answer of 200 that has none, or returns 304 without a body if the request knows it, by its
 * `If-None-Match`.
 */
export const withEntityTag = (
  ifNoneMatch: string | undefined,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body, headers, status } = response
  if (status !== 200 || body._tag !== "Uint8Array" || headers["etag"] !== undefined) return response
  const etag = `"${createHash("sha256").update(body.body).digest("base64url")}"`
  return isKnownTag(etag, ifNoneMatch) ? notModified(etag) : HttpServerResponse.setHeader(response, "etag", etag)
}

/** Answers a read whose entity tag is known before it. If the request knows the tag, too, nothing is read. */
export const taggedRead = <A>(schema: Schema.ConstraintCodec<A, unknown, unknown, never>) => {
  const encode = HttpServerResponse.schemaJson(schema)
  return Effect.fnUntraced(function* <E, R>(etag: string, read: Effect.Effect<A, E, R>) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    if (isKnownTag(etag, headers["if-none-match"])) return notModified(etag)
    return HttpServerResponse.setHeader(yield* Effect.orDie(encode(yield* read)), "etag", etag)
  })
}
