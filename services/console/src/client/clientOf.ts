import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"

/**
 * Returns the client of one group of the admin API, as an effect to run. Each screen imports the groups that it needs, and loads no others.
 */
export const clientOf = <Group extends HttpApiGroup.Constraint>(group: Group) =>
  HttpApiClient.make(HttpApi.make("console").add(group), { baseUrl: location.origin }).pipe(
    Effect.provide(FetchHttpClient.layer)
  )
