import { Schema } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { StaffRole } from "../auth/Role.ts"
import { shownRequestId } from "./commonErrors.ts"
import { type ErrorText, errorBody, shownTexts, textOf } from "./ErrorBody.ts"
import { statusAndFailure } from "./errorForms.ts"
import { quotas } from "./quotas.ts"
import { InternalError, QuotaReached, RateLimited, RequestInvalid, Unavailable } from "./RequestErrors.ts"

/** What a program does about a refusal of staff: sign in, use a passkey, or nothing. */
const ProblemCode = Schema.Literals([
  "SIGN_IN",
  "SECOND_FACTOR_NEEDED",
  "STEP_UP_NEEDED",
  "ROLE_REFUSED",
  "CROSS_SITE",
  "REFUSED"
])
type ProblemCode = typeof ProblemCode.Type

const ProblemBody = Schema.Struct({
  type: Schema.Literal("about:blank"),
  title: Schema.String,
  code: Schema.optionalKey(ProblemCode),
  status: statusAndFailure.status,
  detail: Schema.String,
  at: Schema.optionalKey(
    Schema.String.annotate({ format: "date-time", description: "When what `detail` says was done" })
  ),
  requestId: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "ProblemBody" })

const asProblem = HttpApiSchema.asJson({ contentType: "application/problem+json" })

/** Returns the answer to a domain error as problem details (RFC 9457), which is the form of all errors of the admin API. `at` says when it was done. */
export const problem = <E extends Schema.Top>(
  error: E,
  status: number,
  title: string,
  detail: ErrorText<E>,
  { at, code }: { readonly at?: (error: E["Type"]) => Date | undefined; readonly code?: ProblemCode } = {}
) => {
  const write = (text: string, moment?: Date): typeof ProblemBody.Type => ({
    type: "about:blank",
    title,
    ...(code !== undefined && { code }),
    status,
    detail: text,
    ...(moment !== undefined && { at: moment.toISOString() })
  })
  const shown = shownTexts(detail, []).map((text) => write(text))
  const answer = (value: E["Type"]) => write(textOf(detail, value), at?.(value))
  return errorBody(error, status, ProblemBody, answer, title, shown).pipe(asProblem)
}

/** 404 of paths of the admin API that no operation has. */
export const operationUnknown = {
  title: "Not found",
  detail: "No operation has this path: /docs names all."
} as const

/** A request to the admin API without the right token. The gateway raises it. */
export class OperatorTokenRejected extends Schema.TaggedError<OperatorTokenRejected>()("OperatorTokenRejected", {}) {}

/** A request with the token of a session of staff that is unknown or has ended. The gateway raises it. */
export class StaffSessionRejected extends Schema.TaggedError<StaffSessionRejected>()("StaffSessionRejected", {}) {}

/** The person of a session has used a one-time code, and no second factor yet. */
export class SecondFactorNeeded extends Schema.TaggedError<SecondFactorNeeded>()("SecondFactorNeeded", {}) {}

/** The person of a session used no passkey in the last five minutes. */
export class StepUpNeeded extends Schema.TaggedError<StepUpNeeded>()("StepUpNeeded", {}) {}

/** A page of another site may have sent the request. */
export class CrossSiteRefused extends Schema.TaggedError<CrossSiteRefused>()("CrossSiteRefused", {}) {}

/** The role of a person does not allow an operation. */
export class RoleRefused extends Schema.TaggedError<RoleRefused>()("RoleRefused", {
  role: StaffRole,
  needed: Schema.Array(StaffRole)
}) {}

/** A person may call the operation, but not so. `reason` is a sentence. */
export class StaffRefused extends Schema.TaggedError<StaffRefused>()("StaffRefused", { reason: Schema.String }) {}

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
  "Sign in, or send the header Authorization: Bearer <ADMIN_TOKEN>."
)

/** 401 of staff without a session. */
export const signInProblem = <E extends Schema.Top>(error: E) =>
  problem(error, 401, "Sign in", "The session is unknown, or has ended. Sign in again.", { code: "SIGN_IN" })

export const secondFactorProblem = problem(
  SecondFactorNeeded,
  403,
  "Second factor needed",
  "Use a passkey or a recovery code to complete the sign-in.",
  { code: "SECOND_FACTOR_NEEDED" }
)

export const stepUpProblem = problem(
  StepUpNeeded,
  403,
  "Step-up needed",
  "Use a passkey, and repeat the request within 5 minutes.",
  { code: "STEP_UP_NEEDED" }
)

export const crossSiteProblem = problem(
  CrossSiteRefused,
  403,
  "Cross-site request",
  "A request that signs in, or changes something with a cookie, has to come from a page at the public URL.",
  { code: "CROSS_SITE" }
)

/** The answers to staff whom the gateway or a service refuses. */
const staffErrors = [
  signInProblem(StaffSessionRejected),
  secondFactorProblem,
  stepUpProblem,
  problem(
    RoleRefused,
    403,
    "Not allowed",
    ({ needed, role }) => `Your role is ${role}. This needs ${needed.join(" or ")}.`,
    { code: "ROLE_REFUSED" }
  ),
  crossSiteProblem,
  problem(StaffRefused, 403, "Not allowed", ({ reason }) => reason, { code: "REFUSED" }),
  problem(
    RateLimited,
    429,
    "Rate limit exceeded",
    ({ limit, retryAfter }) => `At most ${limit} requests per ${retryAfter} seconds are allowed. Try again later.`
  )
] as const

/** 429 of operations that add to what an organization may store. */
export const quotaProblem = problem(QuotaReached, 429, "Quota reached", ({ kind }) => quotas[kind].reached)

export const requestProblem = problem(RequestInvalid, 400, "Invalid request", ({ text }) => text)

export const brokenProblems = [
  brokenProblem(InternalError, 500, "Internal server error"),
  brokenProblem(Unavailable, 503, "Service unavailable")
] as const

export const operatorErrors = [requestProblem, operatorTokenRejected, ...staffErrors, ...brokenProblems] as const
