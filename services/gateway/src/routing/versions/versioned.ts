import type { IncomingMessage } from "node:http"
import { versionHeader } from "@care/domain/versions"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { inVersion } from "./inVersion.ts"
import { versionOf } from "./versionOf.ts"

/** Answers in the version that a request names what was answered before its partner, or its operation, was known. */
export const versioned = <E, R>(
  endpoint: HttpApiEndpoint.Top,
  request: IncomingMessage,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  Effect.flatMap(answer, (response) =>
    response.headers[versionHeader] === undefined
      ? inVersion(endpoint, versionOf(request), response)
      : Effect.succeed(response)
  )
