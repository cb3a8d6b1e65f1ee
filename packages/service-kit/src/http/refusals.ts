import { randomUUID } from "node:crypto"
import { STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { errorCodeHeader } from "@care/domain/http"
import { requestIdHeader } from "./RequestId.ts"

/** Returns the headers of a refusal that is written without a route. The connection is closed after it. */
export const refusalHeaders = (body: string, code: string) => ({
  connection: "close",
  "content-type": "application/json",
  "content-length": String(Buffer.byteLength(body)),
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  [errorCodeHeader]: code,
  [requestIdHeader]: randomUUID()
})

const unreadable: Readonly<Record<string, readonly [status: number, code: string, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "HEADERS_TOO_LARGE", "The headers of the request are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "REQUEST_TOO_SLOW", "The request did not arrive in time"]
}

/**
 * Answers a connection that sends no valid request, too large a head, or a request too slowly, and closes it. If the connection already
 * had an answer it is only closed, because another one might be taken for the answer to another request.
 */
export const refuseUnreadable = (
  { code = "" }: Error & { readonly code?: string },
  socket: Duplex & { readonly bytesWritten?: number }
): void => {
  if (code === "ECONNRESET" || !socket.writable || socket.bytesWritten !== 0) {
    socket.destroy()
    return
  }
  const [status, errorCode, error] = unreadable[code] ?? [400, "NOT_HTTP", "The request is not HTTP"]
  const body = JSON.stringify({ status, success: false, error })
  const headers = Object.entries(refusalHeaders(body, errorCode)).map(([name, value]) => `${name}: ${value}`)
  const answer = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, "", body].join("\r\n")
  socket.end(answer, () => socket.destroy())
}
