import { assert } from "@effect/vitest"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"

/** Returns the endpoints of an API by name, as the gateway reads them. */
export const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ((name: string) => HttpApiEndpoint.Top) => {
  const endpoints = new Map<string, HttpApiEndpoint.Top>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => endpoints.set(endpoint.identifier, endpoint)
  })
  return (name) => endpoints.get(name) ?? assert.fail(name)
}
