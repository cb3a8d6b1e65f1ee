import { Schema } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { shownRequestId } from "./commonErrors.ts"
import { type ErrorText, errorBody, shownTexts, textOf } from "./ErrorBody.ts"
import { statusAndFailure } from "./errorForms.ts"
import { InternalError, RequestInvalid, Unavailable } from "./RequestErrors.ts"

const ProblemBody = Schema.Struct({
  type: Schema.Literal("about:blank"),
  title: Schema.String,
  status: statusAndFailure.status,
  detail: Schema.String,
  requestId: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "ProblemBody" })

const asProblem = HttpApiSchema.asJson({ contentType: "application/problem+json" })

/** Returns the answer to a domain error as problem details (RFC 9457), which is the form of all errors of the admin API. */
export const problem = <E extends Schema.Top>(error: E, status: number, title: string, detail: ErrorText<E>) => {
  const write = (text: string): typeof ProblemBody.Type => ({ type: "about:blank", title, status, detail: text })
  const shown = shownTexts(detail, []).map(write)
  return errorBody(error, status, ProblemBody, (value) => write(textOf(detail, value)), title, shown).pipe(asProblem)
}

/** A request to the admin API without the right token. The gateway raises it. */
export class OperatorTokenRejected extends Schema.TaggedError<OperatorTokenRejected>()("OperatorTokenRejected", {}) {}

const brokenProblem = (error: typeof InternalError | typeof Unavailable, status: number, title: string) => {
  const write = ({ requestId }: { readonly requestId: string }): typeof ProblemBody.Type => ({
    type: "about:blank",
    title,
    status,
    detail: "It is logged under the request id.",
    requestId
  })
  const shown = [write({ requestId: shownRequestId })]
  return errorBody(error, status, ProblemBody, write, title, shown).pipe(asProblem)
}

/** 401 of endpoints for operators. */
export const operatorTokenRejected = problem(
  OperatorTokenRejected,
  401,
  "Unauthorized",
  "Send the header Authorization: Bearer <ADMIN_TOKEN>."
)

export const requestProblem = problem(RequestInvalid, 400, "Invalid request", ({ text }) => text)

export const brokenProblems = [
  brokenProblem(InternalError, 500, "Internal server error"),
  brokenProblem(Unavailable, 503, "Service unavailable")
] as const

export const operatorErrors = [requestProblem, operatorTokenRejected, ...brokenProblems] as const
