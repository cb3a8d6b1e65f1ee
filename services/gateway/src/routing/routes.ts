import type { Scope } from "@care/domain/auth"
import { endpoints, type ServedEndpoint } from "@care/domain/endpoints"
import {
  Action,
  AddsTo,
  EntityTag,
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
import { type Permission, permissionOf } from "@care/domain/permissions"
import { neededScope } from "@care/domain/scopes"
import { Context } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { mebibyte } from "../mebibyte.ts"

const maxBytes = { withFiles: 20 * mebibyte, withoutFiles: mebibyte } as const

/** An endpoint that callers can reach. */
interface PublicEndpoint {
  readonly owner: ServedEndpoint["owner"]
  readonly caller: PublicCaller
  readonly group: { readonly identifier: string }
  readonly endpoint: HttpApiEndpoint.Top
  /** Who of the staff may call it. Only endpoints of the admin API have one. */
  readonly permission: Permission | undefined
  /** The scope that a partner's key needs. */
  readonly scope: Scope | undefined
  /** The body's `action` that selects the endpoint on a shared path. */
  readonly action: string | undefined
  /** The rate limits of a request: the endpoint's own, and that of all writes. */
  readonly rateLimits: ReadonlyArray<RateLimitRule>
  /** The kinds with a quota that a request adds to, in any service. */
  readonly addsTo: ReadonlyArray<StoredKind>
  /** Whether the key may also be in the body, as `key`. */
  readonly hasKeyInBody: boolean
  /** Whether the body may contain files. It is streamed to the service then. */
  readonly takesFiles: boolean
  readonly maxBodyBytes: number
  /** Whether its answer has an `ETag`. */
  readonly hasEntityTag: boolean
  /** Whether it is a callback of a third party. A cell may follow its path: `/webhooks/stripe/c2`. */
  readonly isCallback: boolean
}

/** The path of a callback with its cell. */
export const callbackPath = ({ endpoint }: PublicEndpoint): string => `${endpoint.path}/:cell`

/** A public endpoint of a service. */
export interface PublicRoute extends PublicEndpoint {
  readonly owner: ServiceName
}

const isForwarded = (endpoint: PublicEndpoint): endpoint is PublicRoute => endpoint.owner !== "gateway"

const rateLimitsOf = ({ annotations, caller, endpoint: { method } }: ServedEndpoint): ReadonlyArray<RateLimitRule> => {
  const own = Context.get(annotations, RateLimit)
  const isWrite = caller === "partner" && method !== "GET"
  return [...(own === undefined ? [] : [own]), ...(isWrite ? [rateLimits.writes] : [])]
}

const callbackCallers: ReadonlyArray<PublicCaller> = ["pharmacy", "stripe", "scheduling"]

const publicEndpointOf = (served: ServedEndpoint): ReadonlyArray<PublicEndpoint> => {
  const { annotations, caller, endpoint, group, owner } = served
  if (caller === undefined || caller === "service" || caller === "staff") return []
  const takesFiles = Context.get(annotations, TakesFiles)
  return [
    {
      owner,
      caller,
      group,
      endpoint,
      permission: permissionOf(group, endpoint),
      scope: neededScope(group, endpoint),
      action: Context.get(annotations, Action),
      rateLimits: rateLimitsOf(served),
      addsTo: Context.get(annotations, AddsTo),
      hasKeyInBody: Context.get(annotations, KeyInBody),
      takesFiles,
      hasEntityTag: Context.get(annotations, EntityTag),
      isCallback: callbackCallers.includes(caller),
      maxBodyBytes: takesFiles ? maxBytes.withFiles : maxBytes.withoutFiles
    }
  ]
}

const publicEndpoints = endpoints.flatMap(publicEndpointOf)

/** Endpoints with a path of their own, of services and of the gateway. */
export const plainEndpoints: ReadonlyArray<PublicEndpoint> = publicEndpoints.filter(
  ({ action }) => action === undefined
)

/** The gateway's own endpoints. */
export const ownEndpoints: ReadonlyArray<PublicEndpoint> = plainEndpoints.filter((endpoint) => !isForwarded(endpoint))

/** The plain endpoints that services answer. */
export const plainRoutes: ReadonlyArray<PublicRoute> = plainEndpoints.filter(isForwarded)

/**
 * A path that several operations share: the endpoint that the gateway answers there itself, and the operations by
 * action.
 */
export interface SharedPath {
  readonly endpoint: HttpApiEndpoint.Top
  readonly actions: ReadonlyMap<string, PublicRoute>
  /** The largest limit of its operations. */
  readonly maxBodyBytes: number
}

export const sharedPaths: ReadonlyArray<SharedPath> = sharedEndpoints.map((endpoint) => {
  const actions = new Map<string, PublicRoute>()
  for (const route of publicEndpoints.filter(isForwarded)) {
    if (route.action !== undefined && route.endpoint.path === `${endpoint.path}/${route.action}`) {
      actions.set(route.action, route)
    }
  }
  const sizes = Array.from(actions.values(), ({ maxBodyBytes }) => maxBodyBytes)
  return { endpoint, actions, maxBodyBytes: Math.max(maxBytes.withoutFiles, ...sizes) }
})
