import { randomUUID } from "node:crypto"
import { STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { requestIdHeader } from "./RequestId.ts"

/** Node's error for a connection with bytes that are no request. */
interface UnreadableRequest extends Error {
  readonly code?: string
}

const refusals: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The headers of the request are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time"]
}

const answer = (status: number, error: string): string => {
  const body = JSON.stringify({ status, success: false, error })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "connection: close",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "x-content-type-options: nosniff",
    `${requestIdHeader}: ${randomUUID()}`,
    "",
    body
  ].join("\r\n")
}

/**
 * Answers a connection that sends no valid request, too large a head, or a request too slowly, and closes it. If the connection already
 * had an answer it is only closed, because another one might be taken for the answer to another request.
 */
export const refuseUnreadable = (
  error: UnreadableRequest,
  socket: Duplex & { readonly bytesWritten?: number }
): void => {
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten !== 0) {
    socket.destroy()
    return
  }
  const [status, text] = refusals[error.code ?? ""] ?? [400, "The request is not HTTP"]
  socket.end(answer(status, text), () => socket.destroy())
}
