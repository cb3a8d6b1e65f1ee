import { Effect } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { withCellCursors } from "./cellCursors.ts"

const fetchWithCellCursors = withCellCursors((input, options) => fetch(input, options))

/**
 * Returns the client of one group of the admin API, as an effect to run. Each screen imports the groups that it needs, and loads no others.
 */
export const clientOf = <Group extends HttpApiGroup.Constraint>(group: Group) =>
  HttpApiClient.make(HttpApi.make("console").add(group), {
    baseUrl: location.origin,
    transformClient: HttpClient.transform(Effect.provideService(FetchHttpClient.Fetch, fetchWithCellCursors))
  }).pipe(Effect.provide(FetchHttpClient.layer))
