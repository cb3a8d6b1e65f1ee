import type { IncomingHttpHeaders } from "node:http"
import { callers, type Identity } from "@care/domain/http"
import { identityHeader, requestIdHeader, sandboxResetHeader } from "@care/service-kit"

const keyHeaders = Object.values(callers).flatMap(({ credentials }) =>
  Object.values(credentials).flatMap((credential) =>
    credential.type === "apiKey" && credential.in === "header" ? [credential.name] : []
  )
)

// Headers of one connection (RFC 9110, 7.6.1), the caller's credentials, and headers that the gateway sets itself.
const droppedHeaders = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "host",
  ...keyHeaders,
  identityHeader,
  requestIdHeader
])

/** What the gateway adds to the headers of a request. */
interface AddedHeaders {
  readonly identity: Identity
  /** The signed token of the identity. */
  readonly token: string
  readonly requestId: string
  /** The headers of the trace, if there is one. */
  readonly trace: Readonly<Record<string, string>> | undefined
}

// `Connection` may name more headers that belong to the connection alone.
const headersNamedBy = (connection: string | undefined): ReadonlyArray<string> =>
  connection === undefined ? [] : connection.split(",").map((name) => name.trim().toLowerCase())

/** Returns the headers of a request for a service: without the caller's credentials, and with the caller's identity. */
export const upstreamHeaders = (
  received: IncomingHttpHeaders,
  { identity, requestId, token, trace }: AddedHeaders
): Record<string, string | Array<string>> => {
  const { hasAuthorizationForService, hasCookieForService } = callers[identity._tag]
  const connectionHeaders = headersNamedBy(received.connection)
  const headers: Record<string, string | Array<string>> = { [identityHeader]: token, [requestIdHeader]: requestId }
  for (const name in received) {
    const value = received[name]
    if (value === undefined || droppedHeaders.has(name) || connectionHeaders.includes(name)) continue
    if (name === "authorization" && !hasAuthorizationForService) continue
    if (name === "cookie" && !hasCookieForService) continue
    headers[name] = value
  }
  return trace === undefined ? headers : { ...headers, ...trace }
}

const droppedResponseHeaders = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "date",
  "content-length",
  "content-type",
  sandboxResetHeader
])

/** Returns the headers of a service's answer for the caller. Length and type are set with the body. */
export const downstreamHeaders = (received: IncomingHttpHeaders): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const name in received) {
    const value = received[name]
    if (value !== undefined && !droppedResponseHeaders.has(name))
      headers[name] = Array.isArray(value) ? value.join(", ") : value
  }
  return headers
}
