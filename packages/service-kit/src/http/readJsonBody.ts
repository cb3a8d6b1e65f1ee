import { isUtf8 } from "node:buffer"
import { MIMEType } from "node:util"
import { RequestInvalid } from "@care/domain/http"
import { Effect } from "effect"
import { Headers, HttpServerRequest } from "effect/http"
import { JsonScan } from "./JsonScan.ts"

// The default types of fetch and of curl.
const defaultTypes = new Set(["text/plain", "application/x-www-form-urlencoded"])

const isJson = ({ essence }: MIMEType): boolean =>
  essence === "application/json" ||
  essence === "text/json" ||
  /^application\/.+\+json$/.test(essence) ||
  defaultTypes.has(essence)

const hasUtf8Charset = ({ params }: MIMEType): boolean => /^(utf-?8|us-ascii)$/i.test(params.get("charset") ?? "utf-8")

const parseMimeType = (contentType: string): MIMEType | undefined => {
  try {
    return new MIMEType(contentType)
  } catch {
    return undefined
  }
}

// Whether a body is read as JSON: its type is absent, a type for JSON, or a client's default type, in UTF-8.
const isJsonType = (contentType: string | undefined): boolean => {
  if (contentType === undefined || contentType.trim() === "" || contentType === "application/json") return true
  const type = parseMimeType(contentType)
  return type !== undefined && isJson(type) && hasUtf8Charset(type)
}

const jsonType = "application/json"

// How many bytes are scanned before other fibers get a turn.
const sliceBytes = 256 * 1024

// Returns why a body is refused before it is parsed, or undefined. Only the parser finds out whether it is JSON.
const problemOf = Effect.fnUntraced(function* (contentType: string | undefined, body: Uint8Array) {
  if (!isJsonType(contentType)) return "must be application/json, in UTF-8"
  if (!isUtf8(body)) return "must be in UTF-8"
  const scan = new JsonScan()
  for (let at = 0; at < body.length; at += sliceBytes) {
    if (at > 0) yield* Effect.yieldNow
    const problem = scan.read(body.subarray(at, at + sliceBytes))
    if (problem !== undefined) return problem
  }
  return undefined
})

/**
 * Reads the body of the request to its end, and refuses one with a wrong content type, bytes that are no UTF-8, or too many or too deep
 * values. Returns the request with the content type `application/json`, the only one that endpoints know.
 */
export const readJsonBody = Effect.gen(function* () {
  const received = yield* HttpServerRequest.HttpServerRequest
  const contentType = received.headers["content-type"]
  const request =
    contentType === jsonType
      ? received
      : received.modify({ headers: Headers.set(received.headers, "content-type", jsonType) })
  const reason = yield* problemOf(contentType, new Uint8Array(yield* Effect.orDie(request.arrayBuffer)))
  return reason === undefined ? request : yield* new RequestInvalid({ part: "payload", path: "body", reason })
})
