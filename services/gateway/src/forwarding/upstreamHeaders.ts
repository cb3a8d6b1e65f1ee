import type { IncomingHttpHeaders } from "node:http"
import { callers, type Identity } from "@care/domain/http"
import { identityHeader, requestIdHeader } from "@care/service-kit"

const keyHeaders = Object.values(callers).flatMap(({ credentials }) =>
  Object.values(credentials).flatMap((credential) => (credential.type === "apiKey" ? [credential.name] : []))
)

// Hop-by-hop headers (RFC 9110, 7.6.1), what identifies the caller to the gateway only, and what the gateway sets itself.
const dropped = new Set([
  "connection",
  "content-length",
  "keep-alive",
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

/** The headers of a request as a service gets them: without the caller's secrets, with who the call is made for. */
export const upstreamHeaders = (
  given: IncomingHttpHeaders,
  identity: Identity,
  identityToken: string
): Record<string, string | Array<string>> => {
  const headers: Record<string, string | Array<string>> = {
    [identityHeader]: identityToken,
    [requestIdHeader]: identity.requestId
  }
  for (const name in given) {
    const value = given[name]
    if (value !== undefined && !dropped.has(name)) headers[name] = value
  }
  if (!callers[identity._tag].hasAuthorizationForService) delete headers["authorization"]
  return headers
}

const responseDropped = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "date",
  "content-length",
  "content-type"
])

/** The headers of a service's answer that callers get; length and type are set with the body. */
export const downstreamHeaders = (given: IncomingHttpHeaders): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const name in given) {
    const value = given[name]
    if (value !== undefined && !responseDropped.has(name))
      headers[name] = Array.isArray(value) ? value.join(", ") : value
  }
  return headers
}
