import { randomUUID } from "node:crypto"
import { Context } from "effect"

/** The request id of work without a request. It is accepted only from our own services (`layerIdentity`). */
export const noRequest = "none"

/** The id of the current request. It is on every log line, every internal call and every answer. */
export const RequestId = Context.Reference<string>("@care/service-kit/http/RequestId", {
  defaultValue: () => noRequest
})

export const requestIdHeader = "x-request-id"

/** The header that returns the id of a caller that is not used as the request id. */
export const clientRequestIdHeader = "x-client-request-id"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i

const isAccepted = (id: string): boolean => uuid.test(id) || ulid.test(id)

/** Returns the caller's request id if it is a UUID or a ULID, or else a new one, because a text in the audit could name somebody. */
export const requestIdOf = (header: string | undefined): string =>
  header !== undefined && isAccepted(header) ? header : randomUUID()

/** Returns a caller's id that is not used as the request id, if it has at most 100 printable ASCII characters. It is stored nowhere. */
export const clientRequestIdOf = (header: string | undefined): string | undefined =>
  header !== undefined && !isAccepted(header) && /^[\x20-\x7e]{1,100}$/.test(header) ? header : undefined
