import { Context, Predicate, Schema } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { StaffRole } from "../auth/Role.ts"
import { ApiKeyId, OrganizationId, StaffSessionId, UserId } from "../Ids.ts"
import { careModeHeader } from "./careMode.ts"
import { unattendedHeader } from "./unattended.ts"

/** A credential that the gateway checks, as an OpenAPI security scheme. The name of a header is in lower case. */
type Credential = { readonly description: string } & (
  | { readonly type: "apiKey"; readonly in: "header" | "cookie"; readonly name: string }
  | { readonly type: "http"; readonly scheme: "bearer" }
)

interface GatewayCheck {
  /** The credentials by their names in the public document. None if the service checks something else. */
  readonly credentials?: Readonly<Record<string, Credential>>
  /** Whether the gateway passes `authorization` on to the service. */
  readonly hasAuthorizationForService?: boolean
  /** Whether the gateway passes `cookie` on to the service. */
  readonly hasCookieForService?: boolean
}

/** The other kind of callers that the groups of a kind accept as well. */
interface OtherKind<Other extends { readonly _tag: string }> {
  readonly is: (value: unknown) => value is Other
}

const nobody: OtherKind<never> = { is: (_value): _value is never => false }

/**
 * Defines a kind of callers. `Identity` is the identity of one, which travels to the services in a short-lived signed token. `Current` is
 * the caller of the request. `Access` is the middleware of the groups of endpoints that only such callers reach, and those of `other`.
 */
const caller = <
  const Kind extends string,
  const Fields extends Schema.Struct.Fields,
  Other extends { readonly _tag: string } = never
>(
  kind: Kind,
  identity: Fields,
  { credentials = {}, hasAuthorizationForService = false, hasCookieForService = false }: GatewayCheck = {},
  other: OtherKind<Other> | OtherKind<never> = nobody
) => {
  const Identity = Schema.TaggedStruct(kind, identity)
  class Current extends Context.Service<Current, (typeof Identity)["Type"] | Other>()(
    `@care/domain/http/callers/${kind}/Current` as const
  ) {}
  class Access extends HttpApiMiddleware.Service<Access, { provides: Current }>()(
    `@care/domain/http/callers/${kind}/Access` as const
  ) {}
  const is = (value: unknown): value is (typeof Identity)["Type"] => Predicate.isTagged(value, kind)
  const isAccepted = (value: unknown): value is (typeof Identity)["Type"] | Other => is(value) || other.is(value)
  return {
    kind,
    Identity,
    Current,
    Access,
    is,
    isAccepted,
    credentials,
    hasAuthorizationForService,
    hasCookieForService
  }
}

export type Caller<
  Kind extends string,
  Fields extends Schema.Struct.Fields,
  Other extends { readonly _tag: string }
> = ReturnType<typeof caller<Kind, Fields, Other>>

// Whether the caller works in a sandbox.
const isTest = Schema.optionalKey(Schema.Literal(true))

const staff = caller(
  "staff",
  { sessionId: StaffSessionId, userId: UserId, organizationId: OrganizationId, role: StaffRole, isTest },
  {
    credentials: {
      staffSession: {
        type: "apiKey",
        name: "__Host-care_staff",
        in: "cookie",
        description: `The session of a member of staff, which signing in sets. A command line sends it as a bearer token. It ends when it is not used for a while. A request with \`${unattendedHeader}: true\` is no use of it: send this with what a timer asks for. With \`${careModeHeader}: test\` it works in the sandbox of the organization`
      }
    }
  }
)

/** The kinds of callers of the gateway, in the order of the public document. `routing/Callers.ts` of the gateway checks each. */
export const publicCallers = {
  partner: caller(
    "partner",
    { organizationId: OrganizationId, apiKeyId: ApiKeyId, isTest },
    {
      credentials: {
        apiKey: { type: "apiKey", name: "cv-api-key", in: "header", description: "The organization's API key" }
      },
      // It is a patient's access token.
      hasAuthorizationForService: true
    }
  ),
  /** Anybody with a signed link, which the service checks. */
  link: caller("link", {}),
  /** A machine of the operator. Its groups accept staff, too: each operation those roles that `permissions` names. */
  operator: caller(
    "operator",
    {},
    { credentials: { adminToken: { type: "http", scheme: "bearer", description: "The operator's token" } } },
    staff
  ),
  /** Anybody who signs in as staff, or has a session, which auth checks. */
  session: caller("session", {}, { hasAuthorizationForService: true, hasCookieForService: true }),
  /** The pharmacy, whose signature the service checks. */
  pharmacy: caller("pharmacy", {}),
  /** The payment gateway, whose signature the service checks. */
  stripe: caller("stripe", {}),
  /** The scheduling provider, whose signature the service checks. */
  scheduling: caller("scheduling", {})
}

/** The kinds of callers of a service: those above, signed-in members of staff, and the services and the gateway on their own behalf. */
export const callers = {
  ...publicCallers,
  staff,
  // With the sandbox organization for which a service calls, if it is one, and how often it was reset when the work for it began.
  service: caller("service", {
    service: Schema.String,
    testOrganizationId: Schema.optionalKey(OrganizationId),
    testResets: Schema.optionalKey(Schema.Int)
  })
}

export type PublicCaller = keyof typeof publicCallers

export type CallerKind = keyof typeof callers

/** The caller for whom an internal call is made. */
export const Identity = Schema.Union(Object.values(callers).map(({ Identity }) => Identity))
export type Identity = typeof Identity.Type

export const Partner = callers.partner.Current
export type Partner = Context.Service.Identifier<typeof Partner>

/** A signed-in member of staff. */
export type Staff = typeof callers.staff.Identity.Type
