import { RequestInvalid } from "@care/domain/http"
import { Effect } from "effect"
import { Headers, HttpServerRequest } from "effect/http"
import { jsonProblem } from "./jsonProblem.ts"

const jsonType = "application/json"

/**
 * The request for an endpoint that takes a body, which is read to its end and one that may be parsed as JSON. The endpoint
 * knows JSON by one name, so that whatever else it was called is called that.
 */
export const readJsonBody = Effect.gen(function* () {
  const given = yield* HttpServerRequest.HttpServerRequest
  const contentType = given.headers["content-type"]
  const request =
    contentType === jsonType ? given : given.modify({ headers: Headers.set(given.headers, "content-type", jsonType) })
  const reason = yield* jsonProblem(contentType, new Uint8Array(yield* Effect.orDie(request.arrayBuffer)))
  return reason === undefined ? request : yield* new RequestInvalid({ part: "payload", path: "body", reason })
})
