import { Context, Predicate, Schema } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { ApiKeyId, OrganizationId } from "../Ids.ts"

/** A credential that the gateway asks for, as an OpenAPI security scheme: a header, whose name is in lower case. */
type Credential = { readonly description: string } & (
  | { readonly type: "apiKey"; readonly in: "header"; readonly name: string }
  | { readonly type: "http"; readonly scheme: "bearer" }
)

/** How the gateway lets a kind of callers in. */
interface Entrance {
  /** By the names that they have in the public document. None when the service checks something else. */
  readonly credentials?: Readonly<Record<string, Credential>>
  /** True when `authorization` is for the service, and none of the gateway's business. */
  readonly hasAuthorizationForService?: boolean
}

/**
 * One kind of callers: `Identity`, who one is, which travels to the services as a short-lived signed token; `Current`, the
 * one who makes the request; `Access`, the middleware of the groups of endpoints that only such callers reach.
 */
const caller = <const Kind extends string, const Fields extends Schema.Struct.Fields>(
  kind: Kind,
  identity: Fields,
  { credentials = {}, hasAuthorizationForService = false }: Entrance = {}
) => {
  const Identity = Schema.TaggedStruct(kind, identity)
  class Current extends Context.Service<Current, (typeof Identity)["Type"]>()(
    `@care/domain/http/callers/${kind}/Current` as const
  ) {}
  class Access extends HttpApiMiddleware.Service<Access, { provides: Current }>()(
    `@care/domain/http/callers/${kind}/Access` as const
  ) {}
  const is = (value: unknown): value is (typeof Identity)["Type"] => Predicate.isTagged(value, kind)
  return { kind, Identity, Current, Access, is, credentials, hasAuthorizationForService }
}

export type Caller<Kind extends string, Fields extends Schema.Struct.Fields> = ReturnType<typeof caller<Kind, Fields>>

/**
 * Who may reach the gateway: a row is a kind of callers. Whatever depends on the kind is derived from the row, and the
 * gateway's check of it (`services/gateway/src/routing/Callers.ts`) is asked for by the compiler. The public document shows
 * their endpoints in this order.
 */
export const publicCallers = {
  /** Partners, whose key resolved to their organization. */
  partner: caller(
    "partner",
    { organizationId: OrganizationId, apiKeyId: ApiKeyId },
    {
      credentials: {
        apiKey: { type: "apiKey", name: "cv-api-key", in: "header", description: "The organization's API key" }
      },
      // A patient's access token.
      hasAuthorizationForService: true
    }
  ),
  /** Whoever has a signed link, which the service checks. */
  link: caller("link", {}),
  /** Operators and the back office, with the admin token. */
  operator: caller(
    "operator",
    {},
    { credentials: { adminToken: { type: "http", scheme: "bearer", description: "The operator's token" } } }
  ),
  /** The pharmacy, whose signature the service checks. */
  pharmacy: caller("pharmacy", {}),
  /** The payment gateway, whose signature the service checks. */
  stripe: caller("stripe", {}),
  /** The scheduling provider, whose signature the service checks. */
  scheduling: caller("scheduling", {})
}

/** Everybody who calls a service: those above, and the services (or the gateway) on their own behalf. */
export const callers = { ...publicCallers, service: caller("service", { service: Schema.String }) }

export type PublicCaller = keyof typeof publicCallers

export type CallerKind = keyof typeof callers

/** Who an internal call is made for. */
export const Identity = Schema.Union(Object.values(callers).map(({ Identity }) => Identity))
export type Identity = typeof Identity.Type

/** The partner who makes the request. */
export const Partner = callers.partner.Current
export type Partner = Context.Service.Identifier<typeof Partner>

/** The kind of callers that an endpoint is for, by its middleware; undefined when nothing is said, which lets nobody in. */
export const callerOf = ({ middlewares }: HttpApiEndpoint.Top): CallerKind | undefined => {
  const keys = new Set(Array.from(middlewares, ({ key }) => key))
  return Object.values(callers).find(({ Access }) => keys.has(Access.key))?.kind
}
