import { Schema } from "effect"
import { errorForm } from "./ErrorBody.ts"

// The forms of errors of the partner API. The `identifier` of a body is its name in the public document.

const failed = { success: Schema.Literal(false) }

export const statusAndFailure = {
  status: Schema.Int.check(Schema.isBetween({ minimum: 400, maximum: 599 })),
  ...failed
}

const ErrorCode = Schema.Literals([
  "VALIDATION_ERROR",
  "NOT_FOUND",
  "REFRESH_INVALID",
  "REFRESH_REUSED",
  "REFRESH_EXPIRED",
  "REFRESH_ABSOLUTE_EXPIRED",
  "IDEMPOTENCY_ERROR"
])
type ErrorCode = typeof ErrorCode.Type

const CodedBody = Schema.Struct({ ...statusAndFailure, error: Schema.String, code: ErrorCode }).annotate({
  identifier: "CodedBody"
})

/** `status`, `success`, `error`, `code`: patient-portal authentication. */
export const coded = (code: ErrorCode) =>
  errorForm(CodedBody, (error, status) => ({ status, success: false, error, code }))

const InvalidRequestBody = Schema.Struct({
  ...statusAndFailure,
  message: Schema.String,
  error: Schema.String
}).annotate({ identifier: "InvalidRequestBody" })

const invalid = (message: string) =>
  errorForm(InvalidRequestBody, (error, status) => ({ status, success: false, message, error }))

/** `status`, `success`, `message` "Invalid request", `error`: case operations, case reading. */
export const invalidRequest = invalid("Invalid request")

/** `status`, `success`, `message` "Invalid request parameters", `error`: bundles. */
export const invalidParameters = invalid("Invalid request parameters")

/** `status`, `success`, another `message`, `error`: refusals of permission. */
export const unauthorizedOperation = invalid("Unauthorized")
export const permissionDenied = invalid("Permission denied")
export const forbidden = invalid("Forbidden")

const CodedInvalidRequestBody = Schema.Struct({ ...InvalidRequestBody.fields, code: ErrorCode }).annotate({
  identifier: "CodedInvalidRequestBody"
})

/** `status`, `success`, `message` "Invalid request", `error`, `code`: case products, idempotency keys of case operations. */
export const codedInvalidRequest = (code: ErrorCode) =>
  errorForm(CodedInvalidRequestBody, (error, status) => ({
    status,
    success: false,
    message: "Invalid request",
    error,
    code
  }))

const CaseErrorBody = Schema.Struct({ ...InvalidRequestBody.fields, code: Schema.Literal("CASE_ERROR") }).annotate({
  identifier: "CaseErrorBody"
})

/** `status`, `success`, `message` "Invalid case data", `error`, `code` "CASE_ERROR": the latest case id. */
export const caseError = errorForm(CaseErrorBody, (error, status) => ({
  status,
  success: false,
  message: "Invalid case data",
  error,
  code: "CASE_ERROR"
}))

const MessageBody = Schema.Struct({
  ...failed,
  message: Schema.String,
  error: Schema.optionalKey(Schema.String),
  code: Schema.optionalKey(ErrorCode)
}).annotate({ identifier: "MessageBody" })

/** `success`, `message`: case creation, users. */
export const message = errorForm(MessageBody, (text) => ({ success: false, message: text }))

/** `success`, a general `message`, `error`, and `code` if one is given: case creation. */
export const messageOf = (general: string, code?: ErrorCode) =>
  errorForm(MessageBody, (error) => ({
    success: false,
    message: general,
    error,
    ...(code !== undefined && { code })
  }))

const FailureBody = Schema.Struct({ ...failed, error: Schema.String }).annotate({ identifier: "FailureBody" })

/** `success`, `error`: dynamic cases and their forms. */
export const failure = errorForm(FailureBody, (error) => ({ success: false, error }))

const RefusedBody = Schema.Struct({ ...statusAndFailure, error: Schema.String }).annotate({ identifier: "RefusedBody" })

/** `status`, `success`, `error`: links to files. */
export const refused = errorForm(RefusedBody, (error, status) => ({ status, success: false, error }))

const UnauthorizedBody = Schema.Struct({ status: Schema.Literal(401), error: Schema.String }).annotate({
  identifier: "UnauthorizedBody"
})

/** `status` 401, `error`: keys and access tokens on several endpoints. */
export const unauthorized = errorForm(UnauthorizedBody, (error, status: 401) => ({ status, error }))
