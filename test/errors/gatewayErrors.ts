import { endpoints } from "@care/domain/endpoints"
import { shownRequestId } from "@care/domain/http"
import { neededScope } from "@care/domain/scopes"
import { type CatalogueEntry, operationName } from "./errorCatalogue.ts"

/** An answer of the gateway, as it is on the wire. */
export interface ShownAnswer {
  readonly request: string
  readonly status: number
  /** The headers that other answers do not have. Every error has `care-error-code`, too. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

const entry = (code: string, status: number, reason: string): CatalogueEntry => ({
  code,
  statuses: [status],
  texts: [],
  reasons: [reason],
  operations: "any"
})

const testOperations = endpoints
  .filter(({ endpoint, group }) => neededScope(group, endpoint) === "test")
  .map(({ endpoint }) => operationName(endpoint))

/** The errors that the gateway itself answers, and that are in no contract. */
export const gatewayErrors: ReadonlyArray<CatalogueEntry> = [
  entry("BODY_TOO_LARGE", 413, "The body is larger than 1 MiB, or than 20 MiB where files are sent"),
  entry("BODY_TOO_SLOW", 408, "The body did not come in time. The connection is closed"),
  entry("HEADERS_TOO_LARGE", 431, "Path and headers together are larger than 16 KiB. The connection is closed"),
  entry("METHOD_NOT_ALLOWED", 405, "The path exists, but not with this method"),
  entry("NETWORK_REFUSED", 403, "The key works from some networks alone, and the request came from elsewhere"),
  entry("NOT_FOUND", 404, "The path does not exist"),
  entry("NOT_HTTP", 400, "What came over the connection is not HTTP. The connection is closed"),
  entry("REQUEST_TOO_SLOW", 408, "The head of the request did not come in time. The connection is closed"),
  entry("SCOPE_MISSING", 403, "The key has not the scope of the operation"),
  {
    ...entry("TEST_KEY_NEEDED", 403, "The operation is one of sandboxes, and the key is a live one"),
    operations: testOperations
  },
  entry("TOO_MANY_AT_ONCE", 429, "Too many requests of the organization are in progress")
]

const problem = (status: number, error: string) => ({ status, success: false, error })

const unreadable = (request: string, status: number, error: string): ShownAnswer => ({
  request,
  status,
  headers: {},
  body: problem(status, error)
})

const challenge = { "www-authenticate": 'ApiKey realm="care", header="cv-api-key"' }

const keyRefused = (request: string): ShownAnswer => ({
  request,
  status: 401,
  headers: challenge,
  body: { success: false, message: "Unauthorized" }
})

const tooMany = (request: string, message: string, retryAfter: number): ShownAnswer => ({
  request,
  status: 429,
  headers: { "retry-after": String(retryAfter) },
  body: { status: 429, success: false, error: "Rate limit exceeded", message, retryAfter }
})

/** The answers that the gateway gives to some requests, by their code. `gatewayErrors.test.ts` compares each with the real one. */
export const shownAnswers = {
  BODY_TOO_LARGE: unreadable("A body of 2 MiB", 413, "Request body is larger than 1 MiB"),
  BODY_TOO_SLOW: unreadable(
    "A body of which nothing more comes",
    408,
    "Request body was not received in time: it has to come within 30 seconds, and at 1024 bytes a second at least"
  ),
  HEADERS_TOO_LARGE: unreadable("A header of 20 KiB", 431, "The headers of the request are too large"),
  KEY_INVALID: keyRefused("`POST /api/v1/cases` with a key that was revoked"),
  KEY_MISSING: keyRefused("`POST /api/v1/cases` without a key"),
  METHOD_NOT_ALLOWED: {
    request: "`DELETE /api/v1/cases`",
    status: 405,
    headers: { allow: "POST, GET, HEAD" },
    body: problem(405, "Method not allowed")
  },
  NETWORK_REFUSED: {
    request: "`GET /api/v1/users/me` from 198.51.100.7",
    status: 403,
    headers: {},
    body: { status: 403, error: "This key may not be used from 198.51.100.7" }
  },
  NOT_FOUND: unreadable("`GET /api/v1/nothing`", 404, "Not found"),
  NOT_HTTP: unreadable("A line that is not HTTP", 400, "The request is not HTTP"),
  RATE_LIMITED: tooMany(
    "`POST /api/v1/calendar/appointments`, the 101st in a minute",
    "At most 100 requests per 60 seconds are allowed. Try again later.",
    60
  ),
  REQUEST_INVALID: {
    request: "`POST /api/v1/cases` with the header `care-version: 2020-01-01`",
    status: 400,
    headers: {},
    body: {
      success: false,
      message: "Invalid request",
      error: "care-version, must be one of 2026-06-01, 2026-11-01"
    }
  },
  REQUEST_TOO_SLOW: unreadable("A head of which nothing more comes", 408, "The request did not arrive in time"),
  SCOPE_MISSING: {
    request: "`POST /api/v1/cases` with a key that has `cases:read` alone",
    status: 403,
    headers: {},
    body: { success: false, message: "This key may not cases:write" }
  },
  TEST_KEY_NEEDED: {
    request: "`GET /api/v1/test/clock` with a live key",
    status: 403,
    headers: {},
    body: { status: 403, error: "This operation needs a test key (cv_test_...)" }
  },
  TOO_MANY_AT_ONCE: tooMany(
    "One more request than are handled at a time",
    "At most 64 requests are answered at a time. Try again when one of them is answered.",
    1
  ),
  UNAVAILABLE: {
    request: "`POST /api/v1/cases` while a service does not answer",
    status: 503,
    headers: { "retry-after": "2" },
    body: { status: 503, success: false, message: "Service unavailable", requestId: shownRequestId }
  }
} satisfies Readonly<Record<string, ShownAnswer>>

/** The answer of `POST /api/v1/cases` to a body that is not JSON, a `REQUEST_INVALID`. `intake.test.ts` compares it with the real one. */
export const brokenJson: ShownAnswer = {
  request: '`POST /api/v1/cases` with the body `{ "user": `, which is not JSON',
  status: 400,
  headers: {},
  body: { success: false, message: "Invalid request", error: "body, must be JSON" }
}

export type ShownCode = keyof typeof shownAnswers
