import { assert, describe, it } from "@effect/vitest"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { AuthApi } from "../auth/AuthApi.ts"
import { MailboxAbsent } from "../auth/Message.ts"
import { CodeUsed } from "../auth/SignIn.ts"
import { CasesApi } from "../cases/CasesApi.ts"
import { encodeError } from "./encodeError.ts"
import { InternalError } from "./RequestErrors.ts"

const endpointAt = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  method: string,
  path: string
): HttpApiEndpoint.Top => {
  const found: Array<HttpApiEndpoint.Top> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (endpoint.method === method && endpoint.path === path) found.push(endpoint)
    }
  })
  const [endpoint] = found
  if (endpoint === undefined) throw new Error(path)
  return endpoint
}

// Errors that no caller can bring about at will.
describe("encodeError", () => {
  it("a defect while a case is created: 500 with the request id", () => {
    const encoded = encodeError(endpointAt(CasesApi, "POST", "/api/v1/cases"), new InternalError({ requestId: "r-1" }))
    assert.deepInclude(encoded, {
      status: 500,
      body: { status: 500, success: false, message: "Internal server error", requestId: "r-1" }
    })
  })

  it("a code that another request used first: 401", () => {
    const encoded = encodeError(endpointAt(AuthApi, "POST", "/api/v1/users/auth/verify-otp"), new CodeUsed())
    assert.deepInclude(encoded, {
      status: 401,
      body: { status: 401, success: false, error: "Verification code already used", code: "VALIDATION_ERROR" }
    })
  })

  it("a mailbox where messages are really delivered: 404 as problem details", () => {
    const encoded = encodeError(endpointAt(AuthApi, "GET", "/admin/v1/messages"), new MailboxAbsent())
    assert.deepInclude(encoded, { status: 404, contentType: "application/problem+json" })
  })
})
