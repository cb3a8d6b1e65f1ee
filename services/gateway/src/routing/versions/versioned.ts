import type { IncomingMessage } from "node:http"
import { versionHeader } from "@care/domain/versions"
import { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { inVersion } from "./inVersion.ts"
import { type VersionedCaller, versionOf } from "./versionOf.ts"

/** Answers in the version of a request what was answered before its partner, who is the caller then, or its operation was known. */
export const versioned = <E, R>(
  endpoint: HttpApiEndpoint.Top,
  request: IncomingMessage,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  caller?: VersionedCaller
) =>
  Effect.flatMap(answer, (response) =>
    response.headers[versionHeader] === undefined
      ? inVersion(endpoint, versionOf(request, caller), response)
      : Effect.succeed(response)
  )
