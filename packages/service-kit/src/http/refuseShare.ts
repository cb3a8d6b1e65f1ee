import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { requestIdHeader } from "./RequestId.ts"

const retryAfter = 1

/**
 * Answers a request above the share of its address with 429, and closes the connection. A proxy that gets an answer does not believe that
 * the process is down.
 */
export const refuseShare = (request: IncomingMessage, response: ServerResponse): void => {
  const error = "Rate limit exceeded"
  const message = "Too many requests of one address are answered at a time. Try again when one of them is answered."
  const body = JSON.stringify({ status: 429, success: false, error, message, retryAfter })
  request.resume()
  response
    .writeHead(429, {
      connection: "close",
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-length": Buffer.byteLength(body),
      "retry-after": String(retryAfter),
      [requestIdHeader]: randomUUID()
    })
    .end(body)
}
