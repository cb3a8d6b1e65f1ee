/** What is known of a request that failed. */
export interface CareErrorDetails {
  readonly status?: number | undefined
  readonly code: string
  readonly message: string
  readonly requestId?: string | undefined
  readonly operation: string
  readonly isRetryable: boolean
  readonly body?: unknown
  readonly cause?: unknown
}

/** A request that failed: refused by the API, or without an answer. It never has the API key. */
export class CareError extends Error {
  override readonly name = "CareError"
  /** The HTTP status; undefined without an answer. */
  readonly status: number | undefined
  /** What went wrong, such as `CASE_CLOSED`; `TIMEOUT` or `NETWORK` without an answer, `REDIRECTED` or `BODY_INVALID` with another's. */
  readonly code: string
  /** The id of the request, for support. */
  readonly requestId: string | undefined
  /** The operation of the public document, such as `intake.createCase`. */
  readonly operation: string
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean
  /** The body of the answer: parsed JSON, or text. */
  readonly body: unknown

  constructor({ body, cause, code, isRetryable, message, operation, requestId, status }: CareErrorDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.requestId = requestId
    this.operation = operation
    this.isRetryable = isRetryable
    this.body = body
  }
}

const memberOf = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null ? Object.entries(body).find(([key]) => key === name)?.[1] : undefined

const textIn = (body: unknown, name: string): string | undefined => {
  const value = memberOf(body, name)
  return typeof value === "string" && value !== "" ? value : undefined
}

/** Returns the sentences of the body of any form of error. */
const messageIn = (body: unknown): string | undefined => {
  const error = textIn(body, "error") ?? textIn(memberOf(body, "error"), "message") ?? textIn(body, "detail")
  const message = textIn(body, "message") ?? textIn(body, "title")
  return error !== undefined && message !== undefined && error !== message ? `${message}: ${error}` : (error ?? message)
}

const passing = new Set([429, 500, 502, 503, 504])

const redirects = new Set([301, 302, 303, 307, 308])

/** Makes the error of an answer that is not the one of the document. */
export const refusalOf = (operation: string, response: Response, body: unknown): CareError => {
  const { headers, ok, status, type } = response
  const known = { operation, body, status: status === 0 ? undefined : status }
  const requestId = headers.get("x-request-id") ?? undefined
  if (type === "opaqueredirect" || redirects.has(status)) {
    const message = `${operation} was redirected: baseUrl has to be the address of the API itself`
    return new CareError({ ...known, code: "REDIRECTED", message, requestId, isRetryable: false })
  }
  if (ok) {
    const message = `${operation} was answered with a body that is not JSON`
    return new CareError({ ...known, code: "BODY_INVALID", message, requestId, isRetryable: true })
  }
  return new CareError({
    ...known,
    code: headers.get("care-error-code") ?? textIn(body, "code") ?? `HTTP_${status}`,
    message: messageIn(body) ?? `${operation} was answered with status ${status}`,
    requestId,
    isRetryable: passing.has(status)
  })
}
