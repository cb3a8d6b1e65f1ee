import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Access } from "./annotations.ts"
import { broken, errorBody, InvalidRequestBody, keyRefused } from "./ErrorBody.ts"
import { KeyInvalid, KeyMissing } from "./RequestErrors.ts"

/** The body's `action` is missing or none of the path's. Raised by the gateway. */
export class ActionUnknown extends Schema.TaggedError<ActionUnknown>()("ActionUnknown", {}) {}

const invalidRequest = (status: number, error: string) => ({
  status,
  success: false as const,
  message: "Invalid request",
  error
})

const invalidAction = errorBody(
  ActionUnknown,
  400,
  InvalidRequestBody,
  () => invalidRequest(400, "Invalid action"),
  "The body's `action` is missing or unknown"
)

/**
 * The paths that several operations share, selected by the body's `action`: what the gateway itself answers there when
 * no operation is selected. The operations are endpoints of their own (see `Action`).
 */
export class MultiplexedApi extends HttpApiGroup.make("multiplexed")
  .add(
    HttpApiEndpoint.post("caseActions", "/api/v1/cases/:caseId", {
      error: [
        errorBody(
          KeyMissing,
          401,
          InvalidRequestBody,
          () => invalidRequest(401, "Missing cv-api-key header"),
          "Key missing or invalid"
        ),
        errorBody(
          KeyInvalid,
          401,
          InvalidRequestBody,
          () => invalidRequest(401, "Invalid API key"),
          "Key missing or invalid"
        ),
        invalidAction,
        ...broken
      ]
    }),
    HttpApiEndpoint.post("userActions", "/api/v1/users", { error: [...keyRefused, invalidAction, ...broken] })
  )
  .annotate(Access, "partner") {}

/** What the gateway answers by itself. */
export class GatewayApi extends HttpApi.make("gateway").add(MultiplexedApi) {}
