import { Schema } from "effect"
import { type ErrorForm, errorBody } from "./ErrorBody.ts"
import { invalidRequest, statusAndFailure, unauthorized } from "./errorForms.ts"
import { quotas } from "./quotas.ts"
import {
  IdempotencyConflict,
  InternalError,
  KeyInvalid,
  KeyMissing,
  QuotaReached,
  RateLimited,
  RequestInvalid,
  Unavailable
} from "./RequestErrors.ts"

/** Returns the answers to a missing and to an invalid key in one form, and with one text if one is given. */
export const keysAs = <Status extends number>(form: ErrorForm<Status>, status: Status, text?: string) =>
  [
    form(KeyMissing, status, text ?? "Missing cv-api-key header", "The key is missing or invalid"),
    form(KeyInvalid, status, text ?? "Invalid API key", "The key is missing or invalid")
  ] as const

/** 401 `{ status, error: "Invalid API key" }` of most endpoints, for a missing and for an invalid key. */
export const keyRefused = keysAs(unauthorized, 401, "Invalid API key")

/** 400 of operations without a form of mistakes of their own. */
export const parametersRefused = invalidRequest(
  RequestInvalid,
  400,
  ({ text }) => text,
  "Parameters are malformed: `<parameter>, <reason>; <parameter>, <reason>`"
)

export const idempotencyConflictAs = (
  form: ErrorForm<number>,
  description = "The idempotency key was used with another body, or by a request that is still in progress"
) => form(IdempotencyConflict, 409, ({ reason }) => reason, description)

const RateLimitedBody = Schema.Struct({
  ...statusAndFailure,
  error: Schema.String,
  message: Schema.String,
  retryAfter: Schema.Natural
}).annotate({ identifier: "RateLimitedBody" })

const tooMany = <E extends Schema.Top & { readonly Type: { readonly retryAfter: number } }>(
  error: E,
  text: string,
  message: (error: E["Type"]) => string,
  description: string,
  shown: ReadonlyArray<typeof RateLimitedBody.Type> = []
) =>
  errorBody(
    error,
    429,
    RateLimitedBody,
    (value) => ({ status: 429, success: false, error: text, message: message(value), retryAfter: value.retryAfter }),
    description,
    shown
  )

const exceeded = "Rate limit exceeded"

/** 429 of any operation of the partner API. Contracts need not list it (`encodeError`). `retryAfter` is in seconds. */
export const rateLimited = tooMany(
  RateLimited,
  exceeded,
  ({ limit, retryAfter }) => `At most ${limit} requests per ${retryAfter} seconds are allowed. Try again later.`,
  "The organization has exceeded a rate limit"
)

/** 429 of any operation that stores something. Contracts need not list it. */
export const quotaReached = tooMany(
  QuotaReached,
  "Quota reached",
  ({ kind }) => quotas[kind].reached,
  "The organization has reached a quota"
)

/** 429 if a third party accepts no more requests. */
export const rateLimitedBy = <E extends Schema.Top & { readonly Type: { readonly retryAfter: number } }>(
  error: E,
  message: string,
  description: string
) =>
  tooMany(error, exceeded, () => message, description, [
    { status: 429, success: false, error: exceeded, message, retryAfter: 60 }
  ])

/** The example of a request id in the public document. */
export const shownRequestId = "0b9f2c8e-6c1d-4f43-9d55-2f8a7c1e4b60"

const BrokenBody = Schema.Struct({
  ...statusAndFailure,
  message: Schema.String,
  requestId: Schema.String
}).annotate({ identifier: "BrokenBody" })

const brokenAs = (
  error: typeof InternalError | typeof Unavailable,
  status: number,
  message: string,
  description: string
) => {
  const write = ({ requestId }: { readonly requestId: string }): typeof BrokenBody.Type => ({
    status,
    success: false,
    message,
    requestId
  })
  return errorBody(error, status, BrokenBody, write, description, [write({ requestId: shownRequestId })])
}

export const broken = [
  brokenAs(InternalError, 500, "Internal server error", "An internal error. It is logged with the request id"),
  brokenAs(
    Unavailable,
    503,
    "Service unavailable",
    "A part of the service is temporarily unavailable. Retry the request"
  )
] as const
