import { assert, it } from "@effect/vitest"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { apis } from "../apis.ts"
import { encodeError } from "./encodeError.ts"
import { DocumentedErrors, ServiceAccess } from "./middleware.ts"
import { RequestInvalid } from "./RequestErrors.ts"

it("every endpoint that takes a body from outside answers one that cannot be read with 400 in a form of its own", () => {
  const reason = "Expected the content type application/json, in UTF-8"
  const unreadable = new RequestInvalid({ part: "payload", path: "body", reason })
  let checked = 0
  const check = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
    HttpApi.reflect(api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint }: { readonly endpoint: HttpApiEndpoint.Top }) => {
        if (endpoint.payload.size === 0 || endpoint.middlewares.has(ServiceAccess)) return
        checked += 1
        assert.isTrue(endpoint.middlewares.has(DocumentedErrors), endpoint.path)
        const encoded = encodeError(endpoint, unreadable)
        assert.strictEqual(encoded?.status, 400, endpoint.path)
        assert.match(encoded?.contentType ?? "", /^application\/(problem\+)?json$/)
      }
    })
  check(apis.auth)
  check(apis.cases)
  check(apis.payments)
  check(apis.scheduling)
  assert.isAbove(checked, 15)
})
