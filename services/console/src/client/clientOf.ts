import { Cause, type Duration, Effect, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { attendedFetch } from "./attendedFetch.ts"
import { withCellCursors } from "./cellCursors.ts"

const fetchWithCellCursors = withCellCursors(attendedFetch)

// What changes something has no limit but that of the gateway: it may be done when the person is told that it failed.
const withLimit = (limit: Duration.Input) => (client: HttpClient.HttpClient) =>
  HttpClient.transform(client, (answer, request) => {
    const timedOut = new HttpClientError.TransportError({ request, cause: new Cause.TimeoutError() })
    const orElse = () => Effect.fail(new HttpClientError.HttpClientError({ reason: timedOut }))
    const sent = Effect.provideService(answer, FetchHttpClient.Fetch, fetchWithCellCursors)
    return request.method === "GET" ? Effect.timeoutOrElse(sent, { duration: limit, orElse }) : sent
  })

// A mistake that a schema finds is one of the input, then.
const asFault = (error: unknown) => (Schema.isSchemaError(error) ? new Error("The answer has another form.") : error)

/**
 * Returns the client of one group of the admin API, as an effect to run. Each screen imports the groups that it needs, and loads no others.
 * A read fails if it is not answered within its limit.
 */
export const clientOf = <Group extends HttpApiGroup.Constraint>(group: Group, limit: Duration.Input = "10 seconds") =>
  HttpApiClient.make(HttpApi.make("console").add(group), {
    baseUrl: location.origin,
    transformClient: withLimit(limit),
    transformResponse: Effect.mapError(asFault)
  }).pipe(Effect.provide(FetchHttpClient.layer))
