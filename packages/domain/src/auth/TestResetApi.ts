import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { constant, ok } from "../http/ok.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { clockMoves, testErrors } from "./testErrors.ts"

const Resetting = Schema.Struct({
  status: constant(202),
  success: constant(true),
  data: Schema.Struct({ isResetting: constant(true) })
})

/** Partner API: the reset of a sandbox organization. */
export class TestResetApi extends HttpApiGroup.make("testReset")
  .add(
    HttpApiEndpoint.post("reset", "/api/v1/test/reset", {
      success: [
        ok({ data: Schema.Struct({ now: Timestamp }) }),
        Schema.suspend(() => Resetting).pipe(HttpApiSchema.status(202))
      ],
      error: [...testErrors, clockMoves]
    })
      .annotate(OpenApi.Summary, "Reset the sandbox")
      .annotate(
        OpenApi.Description,
        "Removes all patients, cases, orders, payments, appointments, messages, events and deliveries of your sandbox, its request log, its stored answers and all that waits, and sets its clock back to the real time. Keys, members, webhook endpoints, products, forms, bundles and promo codes stay, and so does the audit. What is under way ends with 503 and leaves nothing. When the reset takes more than 10 seconds, the response is 202: repeat the request to wait for it."
      )
  )
  .annotate(OpenApi.Title, "Test mode: reset")
  .annotate(OpenApi.Description, "Makes a sandbox as new. It needs a test key.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
