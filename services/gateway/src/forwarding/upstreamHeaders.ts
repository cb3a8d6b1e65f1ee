import type { IncomingHttpHeaders } from "node:http"
import { callers, type Identity } from "@care/domain/http"
import { identityHeader, requestIdHeader } from "@care/service-kit"

const keyHeaders = Object.values(callers).flatMap(({ credentials }) =>
  Object.values(credentials).flatMap((credential) => (credential.type === "apiKey" ? [credential.name] : []))
)

// Headers of one connection (RFC 9110, 7.6.1), what identifies the caller to the gateway only, and what the gateway sets itself.
const dropped = new Set([
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

/** What the gateway says to a service of a request. */
interface Said {
  readonly identity: Identity
  /** The identity's. */
  readonly token: string
  readonly requestId: string
  /** The headers that carry the trace on, if there is one. */
  readonly trace: Readonly<Record<string, string>> | undefined
}

// A caller may name others that are for the connection alone.
const namedBy = (connection: string | undefined): ReadonlyArray<string> =>
  connection === undefined ? [] : connection.split(",").map((name) => name.trim().toLowerCase())

/** The headers of a request as a service gets them: without the caller's secrets, with who the call is made for. */
export const upstreamHeaders = (
  given: IncomingHttpHeaders,
  { identity, requestId, token, trace }: Said
): Record<string, string | Array<string>> => {
  const { hasAuthorizationForService } = callers[identity._tag]
  const named = namedBy(given.connection)
  const headers: Record<string, string | Array<string>> = { [identityHeader]: token, [requestIdHeader]: requestId }
  for (const name in given) {
    const value = given[name]
    if (value === undefined || dropped.has(name) || named.includes(name)) continue
    if (name === "authorization" && !hasAuthorizationForService) continue
    headers[name] = value
  }
  return trace === undefined ? headers : { ...headers, ...trace }
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
