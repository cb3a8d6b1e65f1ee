import { isUtf8 } from "node:buffer"
import { Effect } from "effect"
import { isJsonType } from "./isJsonType.ts"
import { JsonScan } from "./JsonScan.ts"

// How much is looked at before others get their turn.
const sliceBytes = 256 * 1024

/**
 * Why a body is not parsed as JSON, or undefined when it may be: for its content type, bytes that are no UTF-8, or too many
 * or too deep values. Whether it is JSON only the parser knows.
 */
export const jsonProblem = Effect.fnUntraced(function* (contentType: string | undefined, body: Uint8Array) {
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
