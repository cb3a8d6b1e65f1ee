import { randomUUID } from "node:crypto"
import { Context } from "effect"

/** The request id of what no request caused. It is taken from our own services alone (`layerIdentity`). */
export const noRequest = "none"

/** The id of the request being answered: on every log line, every internal call and every answer. */
export const RequestId = Context.Reference<string>("@care/service-kit/http/RequestId", {
  defaultValue: () => noRequest
})

export const requestIdHeader = "x-request-id"

/** Where a caller finds an id of theirs that is not the id of the request. */
export const clientRequestIdHeader = "x-client-request-id"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i

const isTaken = (id: string): boolean => uuid.test(id) || ulid.test(id)

/**
 * The caller's request id when it is a UUID or a ULID, otherwise a new one: the id is in the audit for ever, and in logs and
 * jobs, so that it must not be a text in which somebody is named.
 */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && isTaken(given) ? given : randomUUID()

/** What a caller is answered of an id that was not taken: at most 100 printable characters of ASCII. It is kept nowhere. */
export const clientRequestIdOf = (given: string | undefined): string | undefined =>
  given !== undefined && !isTaken(given) && /^[\x20-\x7e]{1,100}$/.test(given) ? given : undefined
