import {
  Action,
  endpoints,
  GatewayApi,
  KeyInBody,
  NoStore,
  type PublicCaller,
  RateLimit,
  type RateLimitRule,
  type ServedEndpoint,
  type ServiceName,
  TakesFiles
} from "@care/domain"
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"

const mebibyte = 1024 * 1024
const maxBytes = { withFiles: 20 * mebibyte, withoutFiles: mebibyte } as const

/** One endpoint of a service that the gateway lets callers reach. */
export interface Route {
  readonly owner: ServiceName
  readonly caller: PublicCaller
  readonly endpoint: HttpApiEndpoint.Top
  /** The body's `action` that selects the endpoint on a shared path. */
  readonly action: string | undefined
  readonly rateLimit: RateLimitRule | undefined
  /** The key may be in the body, as `key`. */
  readonly hasKeyInBody: boolean
  /** The body may have files in it, and is sent on while it comes in. */
  readonly takesFiles: boolean
  readonly maxBodyBytes: number
  /** No cache may keep an answer, a refusal neither. */
  readonly isNoStore: boolean
}

const routeOf = ({ annotations, caller, endpoint, service }: ServedEndpoint): ReadonlyArray<Route> => {
  if (caller === undefined || caller === "service") return []
  const takesFiles = Context.get(annotations, TakesFiles)
  return [
    {
      owner: service,
      caller,
      endpoint,
      action: Context.get(annotations, Action),
      rateLimit: Context.get(annotations, RateLimit),
      hasKeyInBody: Context.get(annotations, KeyInBody),
      takesFiles,
      maxBodyBytes: takesFiles ? maxBytes.withFiles : maxBytes.withoutFiles,
      isNoStore: Context.get(annotations, NoStore)
    }
  ]
}

const allRoutes = endpoints.flatMap(routeOf)

/** Endpoints that have a path of their own. */
export const plainRoutes: ReadonlyArray<Route> = allRoutes.filter(({ action }) => action === undefined)

/** The rules of rate limits that endpoints have, by name. */
export const rateLimitRules: ReadonlyArray<RateLimitRule> = [
  ...new Map(
    allRoutes.flatMap(({ rateLimit }) => (rateLimit === undefined ? [] : [[rateLimit.name, rateLimit]]))
  ).values()
]

/** A path that several operations share: what the gateway answers there itself, and the operations by action. */
export interface SharedPath {
  readonly endpoint: HttpApiEndpoint.Top
  readonly actions: ReadonlyMap<string, Route>
  /** The most that any of the operations takes. */
  readonly maxBodyBytes: number
}

const publicPath = ({ action, endpoint }: Route): string => endpoint.path.slice(0, -`/${action}`.length)

const sharedPath = (endpoint: HttpApiEndpoint.Top): SharedPath => {
  const routes = allRoutes.filter((route) => route.action !== undefined && publicPath(route) === endpoint.path)
  return {
    endpoint,
    actions: new Map(routes.map((route) => [route.action ?? "", route])),
    maxBodyBytes: Math.max(maxBytes.withoutFiles, ...routes.map(({ maxBodyBytes }) => maxBodyBytes))
  }
}

const gatewayEndpoints: Array<HttpApiEndpoint.Top> = []
HttpApi.reflect(GatewayApi, { onGroup: () => {}, onEndpoint: ({ endpoint }) => gatewayEndpoints.push(endpoint) })

/** The paths that several operations share. */
export const sharedPaths: ReadonlyArray<SharedPath> = gatewayEndpoints.map(sharedPath)
