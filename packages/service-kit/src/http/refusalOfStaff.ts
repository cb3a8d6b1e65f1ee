import { OrganizationNotFound } from "@care/domain/auth"
import { encodeError, type Identity, RoleRefused, StaffRefused } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { permissionOf } from "@care/domain/permissions"
import { Option, Schema } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { scopeOf } from "../identity/organizationScope.ts"

const decodeOrganizationId = Schema.decodeUnknownOption(OrganizationId)

/** A request of a person of staff at an endpoint of the admin API. */
interface StaffRequest {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: { readonly identifier: string }
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
}

/** Returns the error of an id that the person's organization does not have: that of an unknown id, if the endpoint documents it. */
export const foreignError = (endpoint: HttpApiEndpoint.Top, unknown: unknown): unknown =>
  encodeError(endpoint, unknown) === undefined
    ? new StaffRefused({ reason: "It is not of your organization." })
    : unknown

/**
 * Returns why a person of staff may not make a request: their role does not allow it, or it names another organization in its path or
 * query. Undefined for a request that they may make, and for other callers. A malformed id is refused later.
 */
export const refusalOfStaff = (identity: Identity, { endpoint, group, params, query }: StaffRequest): unknown => {
  if (identity._tag !== "staff") return undefined
  const permission = permissionOf(group, endpoint)
  if (permission !== undefined && !permission.roles.includes(identity.role)) {
    return new RoleRefused({ role: identity.role, needed: permission.roles })
  }
  const scope = scopeOf(identity)
  if (scope === undefined) return undefined
  const foreign = [params["organizationId"], ...query.getAll("organizationId")]
    .flatMap((id) => Option.toArray(decodeOrganizationId(id)))
    .find((id) => id !== scope)
  return foreign === undefined
    ? undefined
    : foreignError(endpoint, new OrganizationNotFound({ organizationId: foreign }))
}
