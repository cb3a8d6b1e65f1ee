import {
  Access,
  Action,
  apis,
  GatewayApi,
  KeyInBody,
  Owner,
  RateLimit,
  type RateLimitRule,
  type ServiceName
} from "@care/domain"
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"

/** One endpoint of a service that the gateway lets callers reach. */
export interface Route {
  readonly owner: ServiceName
  readonly access: "partner" | "operator" | "link"
  readonly endpoint: HttpApiEndpoint.Top
  /** The body's `action` that selects the endpoint on a shared path. */
  readonly action: string | undefined
  readonly rateLimit: RateLimitRule | undefined
  /** The key may be in the body, as `key`. */
  readonly hasKeyInBody: boolean
}

const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const access = Context.get(mergedAnnotations, Access)
      const owner = Context.get(mergedAnnotations, Owner)
      if (access === "service" || owner === undefined) return
      routes.push({
        owner,
        access,
        endpoint,
        action: Context.get(mergedAnnotations, Action),
        rateLimit: Context.get(mergedAnnotations, RateLimit),
        hasKeyInBody: Context.get(mergedAnnotations, KeyInBody)
      })
    }
  })
  return routes
}

const allRoutes = [
  ...routesOf(apis.auth),
  ...routesOf(apis.cases),
  ...routesOf(apis.payments),
  ...routesOf(apis.scheduling)
]

/** Endpoints that have a path of their own. */
export const plainRoutes: ReadonlyArray<Route> = allRoutes.filter(({ action }) => action === undefined)

/** A path that several operations share: what the gateway answers there itself, and the operations by action. */
export interface SharedPath {
  readonly endpoint: HttpApiEndpoint.Top
  readonly actions: ReadonlyMap<string, Route>
}

const publicPath = ({ action, endpoint }: Route): string => endpoint.path.slice(0, -`/${action}`.length)

const sharedPath = (endpoint: HttpApiEndpoint.Top): SharedPath => ({
  endpoint,
  actions: new Map(
    allRoutes.flatMap((route) =>
      route.action !== undefined && publicPath(route) === endpoint.path ? [[route.action, route]] : []
    )
  )
})

const gatewayEndpoints: Array<HttpApiEndpoint.Top> = []
HttpApi.reflect(GatewayApi, { onGroup: () => {}, onEndpoint: ({ endpoint }) => gatewayEndpoints.push(endpoint) })

/** The paths that several operations share. */
export const sharedPaths: ReadonlyArray<SharedPath> = gatewayEndpoints.map(sharedPath)
