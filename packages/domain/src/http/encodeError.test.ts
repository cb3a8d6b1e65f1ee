import { assert, describe, it } from "@effect/vitest"
import { MailboxAbsent } from "../auth/Message.ts"
import { MessagesApi } from "../auth/MessagesApi.ts"
import { CodeUsed } from "../auth/SignIn.ts"
import { SignInApi } from "../auth/SignInApi.ts"
import { IntakeApi } from "../cases/IntakeApi.ts"
import { encodeError } from "./encodeError.ts"
import { InternalError } from "./RequestErrors.ts"

// Errors that no caller can bring about at will.
describe("encodeError", () => {
  it("a defect while a case is created: 500 with the request id", () => {
    const encoded = encodeError(IntakeApi.endpoints.createCase, new InternalError({ requestId: "r-1" }))
    assert.deepInclude(encoded, {
      status: 500,
      body: { status: 500, success: false, message: "Internal server error", requestId: "r-1" }
    })
  })

  it("a code that another request used first: 401", () => {
    const encoded = encodeError(SignInApi.endpoints.verifyCode, new CodeUsed())
    assert.deepInclude(encoded, {
      status: 401,
      body: { status: 401, success: false, error: "Verification code already used", code: "VALIDATION_ERROR" }
    })
  })

  it("a mailbox where messages are really delivered, or in production: 404 as problem details", () => {
    const encoded = encodeError(MessagesApi.endpoints.list, new MailboxAbsent())
    assert.deepInclude(encoded, { status: 404, contentType: "application/problem+json" })
    assert.match(JSON.stringify(encoded?.body), /in development and test only/)
  })
})
