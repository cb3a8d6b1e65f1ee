import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { isKnownTag } from "@care/service-kit"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

// Content codings, in order of preference.
const codings = ["br", "gzip", "identity"] as const
type Coding = (typeof codings)[number]

// Takes half a second for the page. The best quality takes twenty times as long, for a tenth less.
const brotliQuality = 6

const encode: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: promisify(gzip),
  identity: (bytes) => Promise.resolve(bytes)
}

/** Returns the preferred coding that the caller accepts, or `identity`. */
const codingFor = (accepted: string | undefined): Coding => {
  const weights = new Map(
    (accepted ?? "").split(",").map((entry) => {
      const [name = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))
      return [name, weight === undefined ? 1 : Number(weight.slice("q=".length))]
    })
  )
  const isAccepted = (coding: Coding) => (weights.get(coding) ?? weights.get("*") ?? 0) > 0
  return codings.find(isAccepted) ?? "identity"
}

/**
 * Makes the handler of a file that is the same for everybody. The file is compressed once, into bytes that all connections share; a
 * text would be copied for each slow connection. Caches may store it, and revalidate it each time, unless `extraHeaders` say otherwise. A page
 * of an error is always sent: only what was found can be unchanged (RFC 9110, 13.2.1).
 */
export const publicFile = Effect.fnUntraced(function* (
  content: string | Uint8Array,
  contentType: string,
  extraHeaders: Readonly<Record<string, string>> = {},
  status = 200
) {
  const bytes = Buffer.from(content)
  const hash = createHash("sha256").update(bytes).digest("base64url")
  const encodedAs = Effect.fnUntraced(function* (coding: Coding) {
    const etag = `"${hash}-${coding}"`
    const headers = { etag, vary: "accept-encoding", "cache-control": "no-cache", ...extraHeaders }
    const encoding = coding === "identity" ? {} : { "content-encoding": coding }
    const body = yield* Effect.promise(() => encode[coding](bytes))
    return {
      etag,
      whole: HttpServerResponse.uint8Array(body, {
        status,
        contentType,
        headers: { ...headers, ...encoding }
      }),
      notModified: HttpServerResponse.empty({ status: 304, headers })
    }
  })
  const answers = yield* Effect.all({ br: encodedAs("br"), gzip: encodedAs("gzip"), identity: encodedAs("identity") })
  return Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const { etag, notModified, whole } = answers[codingFor(headers["accept-encoding"])]
    return status === 200 && isKnownTag(etag, headers["if-none-match"]) ? notModified : whole
  })
})
