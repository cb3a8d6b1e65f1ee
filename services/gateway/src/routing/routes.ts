import { endpoints, type ServedEndpoint } from "@care/domain/endpoints"
import {
  Action,
  AddsTo,
  KeyInBody,
  type PublicCaller,
  RateLimit,
  type RateLimitRule,
  rateLimits,
  type StoredKind,
  sharedEndpoints,
  TakesFiles
} from "@care/domain/http"
import type { ServiceName } from "@care/domain/peers"
import { Context } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { mebibyte } from "../mebibyte.ts"

const maxBytes = { withFiles: 20 * mebibyte, withoutFiles: mebibyte } as const

/** One endpoint that callers reach. */
interface PublicEndpoint {
  readonly owner: ServedEndpoint["owner"]
  readonly caller: PublicCaller
  readonly endpoint: HttpApiEndpoint.Top
  /** The body's `action` that selects the endpoint on a shared path. */
  readonly action: string | undefined
  /** The limits that a request counts under: the endpoint's own, and that of all writes. */
  readonly rateLimits: ReadonlyArray<RateLimitRule>
  /** What a request adds to that has a quota, in any service. */
  readonly addsTo: ReadonlyArray<StoredKind>
  /** The key may be in the body, as `key`. */
  readonly hasKeyInBody: boolean
  /** The body may have files in it, and is sent on while it comes in. */
  readonly takesFiles: boolean
  readonly maxBodyBytes: number
}

/** One endpoint of a service that the gateway lets callers reach. */
export interface Route extends PublicEndpoint {
  readonly owner: ServiceName
}

const isForwarded = (endpoint: PublicEndpoint): endpoint is Route => endpoint.owner !== "gateway"

const rateLimitsOf = ({ annotations, caller, endpoint: { method } }: ServedEndpoint): ReadonlyArray<RateLimitRule> => {
  const own = Context.get(annotations, RateLimit)
  const isWrite = caller === "partner" && method !== "GET"
  return [...(own === undefined ? [] : [own]), ...(isWrite ? [rateLimits.writes] : [])]
}

const publicEndpointOf = (served: ServedEndpoint): ReadonlyArray<PublicEndpoint> => {
  const { annotations, caller, endpoint, owner } = served
  if (caller === undefined || caller === "service") return []
  const takesFiles = Context.get(annotations, TakesFiles)
  return [
    {
      owner,
      caller,
      endpoint,
      action: Context.get(annotations, Action),
      rateLimits: rateLimitsOf(served),
      addsTo: Context.get(annotations, AddsTo),
      hasKeyInBody: Context.get(annotations, KeyInBody),
      takesFiles,
      maxBodyBytes: takesFiles ? maxBytes.withFiles : maxBytes.withoutFiles
    }
  ]
}

const publicEndpoints = endpoints.flatMap(publicEndpointOf)

/** Endpoints that have a path of their own, whoever answers them. */
export const plainEndpoints: ReadonlyArray<PublicEndpoint> = publicEndpoints.filter(
  ({ action }) => action === undefined
)

/** Those of them that the gateway answers itself. */
export const ownEndpoints: ReadonlyArray<PublicEndpoint> = plainEndpoints.filter((endpoint) => !isForwarded(endpoint))

/** Those of them that services answer. */
export const plainRoutes: ReadonlyArray<Route> = plainEndpoints.filter(isForwarded)

/** A path that several operations share: what the gateway answers there itself, and the operations by action. */
export interface SharedPath {
  readonly endpoint: HttpApiEndpoint.Top
  readonly actions: ReadonlyMap<string, Route>
  /** The most that any of the operations takes. */
  readonly maxBodyBytes: number
}

export const sharedPaths: ReadonlyArray<SharedPath> = sharedEndpoints.map((endpoint) => {
  const actions = new Map<string, Route>()
  for (const route of publicEndpoints.filter(isForwarded)) {
    if (route.action !== undefined && route.endpoint.path === `${endpoint.path}/${route.action}`) {
      actions.set(route.action, route)
    }
  }
  const sizes = Array.from(actions.values(), ({ maxBodyBytes }) => maxBodyBytes)
  return { endpoint, actions, maxBodyBytes: Math.max(maxBytes.withoutFiles, ...sizes) }
})
