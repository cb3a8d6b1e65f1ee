import { randomUUID } from "node:crypto"
import { Context } from "effect"

/** The request id of what no request caused. */
export const noRequest = "none"

/** The id of the request being answered: on every log line, every internal call and every answer. */
export const RequestId = Context.Reference<string>("@care/service-kit/http/RequestId", {
  defaultValue: () => noRequest
})

export const requestIdHeader = "x-request-id"

const sane = /^[A-Za-z0-9._:-]{1,100}$/

/** The caller's request id when it is sane (at most 100 letters, digits and `._:-`), otherwise a new one. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && sane.test(given) ? given : randomUUID()
