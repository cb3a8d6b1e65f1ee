import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { InternalError, KeyInvalid, KeyMissing, RateLimited, Unavailable } from "./RequestErrors.ts"

/**
 * How one domain error is answered: its status and its body in one of the forms below, and when, in words for the public
 * document. The contract of every endpoint lists one for each error it can raise, so that handlers never build error JSON
 * and the gateway, which refuses keys, and the services, which refuse bodies, write what the same list says.
 */
export const errorBody = <E extends Schema.Top, const Fields extends Schema.Struct.Fields>(
  error: E,
  status: number,
  form: Schema.Struct<Fields>,
  write: (error: E["Type"]) => Schema.Struct.Type<Fields>,
  description: string
) =>
  form
    .pipe(
      Schema.decodeTo(Schema.toType(error), {
        decode: SchemaGetter.forbidden(() => "Error bodies are only written"),
        encode: SchemaGetter.transform(write)
      }),
      HttpApiSchema.status(status)
    )
    .annotate({ description })

const failure = { success: Schema.Literal(false) }
const status = Schema.Int.check(Schema.isBetween({ minimum: 400, maximum: 599 }))
const statusAndFailure = { status, ...failure }

/** `status`, `success`, `error`, `code`: patient-portal authentication, escalation validation. */
export const CodedBody = Schema.Struct({ ...statusAndFailure, error: Schema.String, code: Schema.String }).annotate({
  identifier: "CodedBody"
})

/** `status`, `success`, `message`, `error`: case operations, case reading, calendar, orders, bundles, appointments. */
export const InvalidRequestBody = Schema.Struct({
  ...statusAndFailure,
  message: Schema.String,
  error: Schema.String
}).annotate({ identifier: "InvalidRequestBody" })

/** `status`, `success`, `message`, `error`, `code`: the latest case id. */
export const CaseErrorBody = Schema.Struct({
  ...statusAndFailure,
  message: Schema.String,
  error: Schema.String,
  code: Schema.Literal("CASE_ERROR")
}).annotate({ identifier: "CaseErrorBody" })

/** `success`, `message`, and where it helps `error` and `code`: case creation, promo codes, case payments. */
export const MessageBody = Schema.Struct({
  ...failure,
  message: Schema.String,
  error: Schema.optionalKey(Schema.String),
  code: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "MessageBody" })

/** `success`, `error`: case creation's bad bodies, dynamic cases and their forms. */
export const FailureBody = Schema.Struct({ ...failure, error: Schema.String }).annotate({ identifier: "FailureBody" })

/** `status`, `error` and nothing else: an invalid key on several endpoints. */
export const UnauthorizedBody = Schema.Struct({ status: Schema.Literal(401), error: Schema.String }).annotate({
  identifier: "UnauthorizedBody"
})

/** Answers of broken machinery: no internals, only the request id to ask about. */
export const BrokenBody = Schema.Struct({
  ...statusAndFailure,
  message: Schema.String,
  requestId: Schema.String
}).annotate({
  identifier: "BrokenBody"
})

/** `status`, `success`, `error`, `message`, `retryAfter` (seconds): endpoints with a rate limit. */
export const RateLimitedBody = Schema.Struct({
  ...statusAndFailure,
  error: Schema.String,
  message: Schema.String,
  retryAfter: Schema.Natural
}).annotate({ identifier: "RateLimitedBody" })

/** 401 `{ status, error: "Invalid API key" }`, the same for a missing and an invalid key. */
export const keyRefused = [KeyMissing, KeyInvalid].map((error) =>
  errorBody(error, 401, UnauthorizedBody, () => ({ status: 401, error: "Invalid API key" }), "Key missing or invalid")
)

/** 429 of the endpoints with a rate limit. `retryAfter` is in seconds. */
export const rateLimited = errorBody(
  RateLimited,
  429,
  RateLimitedBody,
  ({ limit, retryAfter }) => ({
    status: 429,
    success: false,
    error: "Rate limit exceeded",
    message: `At most ${limit} requests per ${retryAfter} seconds are allowed. Try again later.`,
    retryAfter
  }),
  "Too many requests of the organization"
)

/** What every endpoint may answer when something is broken: 500, and 503 when trying again is worth it. */
export const broken = [
  errorBody(
    InternalError,
    500,
    BrokenBody,
    ({ requestId }) => ({ status: 500, success: false, message: "Internal server error", requestId }),
    "A defect of ours, logged under the request id"
  ),
  errorBody(
    Unavailable,
    503,
    BrokenBody,
    ({ requestId }) => ({ status: 503, success: false, message: "Service unavailable", requestId }),
    "A part of the suite does not answer at the moment; try again"
  )
] as const
