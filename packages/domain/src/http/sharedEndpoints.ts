import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { broken, keyRefused, keysAs } from "./commonErrors.ts"
import { invalidRequest } from "./errorForms.ts"

/** The body's `action` is missing or unknown. The gateway raises it. */
export class ActionUnknown extends Schema.TaggedError<ActionUnknown>()("ActionUnknown", {}) {}

const invalidAction = invalidRequest(ActionUnknown, 400, "Invalid action", "The body's `action` is missing or unknown")

const group = HttpApiGroup.make("sharedPaths").add(
  HttpApiEndpoint.post("caseActions", "/api/v1/cases/:caseId", {
    error: [...keysAs(invalidRequest, 401), invalidAction, ...broken]
  }),
  HttpApiEndpoint.post("userActions", "/api/v1/users", {
    error: [...keyRefused, invalidAction, ...broken]
  })
)

const endpoints: Array<HttpApiEndpoint.Top> = []
HttpApi.reflect(HttpApi.make("shared-paths").add(group), {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => endpoints.push(endpoint)
})

/** The gateway's answers on paths that several operations share if the body's `action` selects none of them (see `Action`). */
export const sharedEndpoints: ReadonlyArray<HttpApiEndpoint.Top> = endpoints
