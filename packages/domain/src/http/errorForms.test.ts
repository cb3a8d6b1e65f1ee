import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { MailboxAbsent } from "../auth/Message.ts"
import { MessagesApi } from "../auth/MessagesApi.ts"
import { CodeUsed } from "../auth/SignIn.ts"
import { SignInApi } from "../auth/SignInApi.ts"
import { IntakeApi } from "../cases/IntakeApi.ts"
import { endpoints } from "../endpoints.ts"
import { ErrorAnswer } from "./ErrorBody.ts"
import { encodeError } from "./encodeError.ts"
import { InternalError, KeyInvalid, KeyMissing, RequestInvalid } from "./RequestErrors.ts"
import { sharedEndpoints } from "./sharedEndpoints.ts"
import { shownAnswers } from "./shownAnswers.ts"

const missing = new KeyMissing({ isBlank: false })
const invalid = new KeyInvalid({ keyHash: "0123456789ab", isDisabled: false })

const failed = { success: false } as const
const request = { status: 401, ...failed, message: "Invalid request" }
const parameters = { status: 400, ...failed, message: "Invalid request parameters" }
const caseData = { status: 400, ...failed, message: "Invalid case data", code: "CASE_ERROR" }
const header = { error: "Missing cv-api-key header" }
const key = { error: "Invalid API key" }
const both = (status: number, body: object) => [status, body, status, body] as const

const signIn = [
  400,
  { status: 400, ...failed, error: "Validation failed", code: "VALIDATION_ERROR" },
  404,
  { status: 404, ...failed, error: "Organization not found", code: "NOT_FOUND" }
] as const
const bundles = [400, { ...parameters, ...header }, 400, { ...parameters, ...key }] as const
const apiKey = both(401, { status: 401, ...key })
const invalidRequest = both(401, { status: 401, error: "Invalid request" })
const caseAction = [401, { ...request, ...header }, 401, { ...request, ...key }] as const

// The answers without a key, and with an invalid one, of endpoints that do not answer as most do (`apiKey`).
const refusals: Readonly<Record<string, readonly [number, object, number, object]>> = {
  "POST /api/v1/users/auth/send-otp": signIn,
  "POST /api/v1/users/auth/verify-otp": signIn,
  "POST /api/v1/users/auth/refresh-token": signIn,
  "POST /api/v1/users/auth/logout": signIn,
  "GET /api/v1/check-user": invalidRequest,
  "POST /api/v1/cases/:caseId": caseAction,
  "POST /api/v1/cases/:caseId/ADD_ESCALATION": caseAction,
  "POST /api/v1/cases/:caseId/CANCEL_CALENDAR_EVENT": caseAction,
  "POST /api/v1/cases/:caseId/CHANGE_CASE_STATUS": caseAction,
  "POST /api/v1/cases/:caseId/CREATE_CALENDAR_EVENT": caseAction,
  "POST /api/v1/cases/:caseId/PLACE_ORDER": caseAction,
  "POST /api/v1/cases/:caseId/UPDATE_CASE_PRODUCT": [
    401,
    { ...request, message: "Unauthorized", ...header },
    401,
    { ...request, message: "Unauthorized", ...key }
  ],
  "POST /api/v1/cases": both(401, { ...failed, message: "Unauthorized" }),
  "POST /api/v1/dynamic-case": invalidRequest,
  "POST /api/v1/customer-dynamic-case-form": [
    400,
    { ...failed, error: "The 'key' param is required" },
    400,
    { ...failed, error: "Organization not found for key hash 0123456789ab" }
  ],
  "POST /api/v1/complete-payment-setup": [
    400,
    { status: 400, ...failed, ...header },
    400,
    { status: 400, ...failed, ...key }
  ],
  "GET /api/v1/customer-latest-case-id": [
    400,
    { ...caseData, error: "Secret key not provided!" },
    400,
    { ...caseData, error: "Organization not found for key hash 0123456789ab" }
  ],
  "POST /api/v1/calendar/appointments": caseAction,
  "POST /api/v1/calendar/appointments/cancel": caseAction,
  "GET /api/v1/calendar/appointments": [
    400,
    { ...request, status: 400, ...header },
    400,
    { ...request, status: 400, ...key }
  ],
  "GET /api/v1/organization/bundles": bundles,
  "GET /api/v1/organization/bundles/:bundleUUID": bundles
}

describe("the refusals of keys", () => {
  const own = endpoints.flatMap(({ caller, endpoint }) => (caller === "partner" ? [endpoint] : []))
  const all = [...own, ...sharedEndpoints]

  it("differ for endpoints that exist", () => {
    assert.includeMembers(
      all.map(({ method, path }) => `${method} ${path}`),
      Object.keys(refusals)
    )
  })

  for (const endpoint of all) {
    const name = `${endpoint.method} ${endpoint.path}`
    it(`${name} answers in its own form, which its contract documents`, () => {
      const [missingStatus, missingBody, invalidStatus, invalidBody] = refusals[name] ?? apiKey
      assert.deepInclude(encodeError(endpoint, missing), { status: missingStatus, body: missingBody })
      assert.deepInclude(encodeError(endpoint, invalid), { status: invalidStatus, body: invalidBody })
    })
  }
})

it("every public endpoint with a body answers an unreadable body with 400 in its own form", () => {
  const reason = "must be application/json, in UTF-8"
  const unreadable = new RequestInvalid({ part: "payload", path: "body", reason })
  const taking = endpoints.filter(({ caller, endpoint }) => endpoint.payload.size > 0 && caller !== "service")
  for (const { endpoint } of taking) {
    const encoded = encodeError(endpoint, unreadable)
    assert.strictEqual(encoded?.status, 400, endpoint.path)
    assert.match(encoded?.contentType ?? "", /^application\/(problem\+)?json$/)
  }
  assert.isAbove(taking.length, 15)
})

it("errors that no caller can cause on purpose have the documented forms", () => {
  assert.deepInclude(encodeError(IntakeApi.endpoints.createCase, new InternalError({ requestId: "r-1" })), {
    status: 500,
    body: { status: 500, success: false, message: "Internal server error", requestId: "r-1" }
  })
  assert.deepInclude(encodeError(SignInApi.endpoints.verifyCode, new CodeUsed()), {
    status: 401,
    body: { status: 401, success: false, error: "Verification code already used", code: "VALIDATION_ERROR" }
  })
  const noMailbox = encodeError(MessagesApi.endpoints.list, new MailboxAbsent())
  assert.deepInclude(noMailbox, { status: 404, contentType: "application/problem+json" })
  assert.match(JSON.stringify(noMailbox?.body), /in development and test only/)
})

it("clients read every form of error, and servers never send what was read", () => {
  let read = 0
  for (const { endpoint } of endpoints) {
    for (const schema of endpoint.error) {
      const decode = Schema.decodeUnknownEffect(Schema.revealCodec(schema))
      for (const { body, status, text } of shownAnswers({ success: new Set(), error: new Set([schema]) })) {
        // The schemas of errors need no services.
        const answer = Effect.runSync(decode(body) as Effect.Effect<unknown, Schema.SchemaError>)
        assert.instanceOf(answer, ErrorAnswer)
        assert.deepInclude(answer, { status, text })
        assert.isUndefined(encodeError(endpoint, answer))
        read += 1
      }
    }
  }
  assert.isAbove(read, 500)
})
