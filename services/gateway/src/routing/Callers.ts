import type { IncomingMessage } from "node:http"
import type { Scope } from "@care/domain/auth"
import {
  type CrossSiteRefused,
  callers,
  type Identity,
  type KeyInvalid,
  type KeyMissing,
  NetworkRefused,
  OperatorTokenRejected,
  type PublicCaller,
  type RequestInvalid,
  type RoleRefused,
  type SecondFactorNeeded,
  type StaffRefused,
  type StaffSessionRejected,
  type StepUpNeeded
} from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import type { Permission } from "@care/domain/permissions"
import type { ApiVersion } from "@care/domain/versions"
import { cellOfSignOnState, cellOfStaffToken, originForm, staffTokenOf } from "@care/service-kit"
import { Context, Data, Effect, Layer } from "effect"
import { type Cell, Cells } from "../cells/index.ts"
import { makeClientAddresses } from "../clientAddress.ts"
import { GatewaySettings } from "../GatewaySettings.ts"
import { KeyResolver, makeTokenCheck } from "../keys/index.ts"
import type { LimitHolder } from "../limits/index.ts"
import { identityInMode } from "./identityInMode.ts"
import { makeStaffCheck } from "./makeStaffCheck.ts"
import { staffOrigin } from "./staffOrigin.ts"

/** An identified caller, and the name under which it counts in shared limits. */
export interface KnownCaller<Who extends Identity = Identity> extends LimitHolder {
  readonly identity: Who
  readonly cell: Cell
  /** The version of a partner's requests that name none. */
  readonly apiVersion?: ApiVersion
  /** The scopes of a partner's key, unless it has all. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
  /** The sandbox of the organization of a person of staff, who has its keys, too. */
  readonly sandboxId?: OrganizationId | undefined
}

/** The path of a callback names no cell of this gateway. */
export class CellUnknown extends Data.TaggedError("CellUnknown") {}

// The endpoints of operators accept staff, too.
type IdentityAt<Kind extends PublicCaller> = Extract<
  Identity,
  { readonly _tag: Kind extends "operator" ? "operator" | "staff" : Kind }
>

type Refusal =
  | KeyMissing
  | KeyInvalid
  | NetworkRefused
  | OperatorTokenRejected
  | CellUnknown
  | StaffSessionRejected
  | CrossSiteRefused
  | SecondFactorNeeded
  | RoleRefused
  | StepUpNeeded
  | StaffRefused
  | RequestInvalid

// Every kind of caller of the domain needs a check here.
type Checks = {
  readonly [Kind in PublicCaller]: (
    request: IncomingMessage,
    permission: Permission | undefined
  ) => Effect.Effect<KnownCaller<IdentityAt<Kind>>, Refusal>
}

/** Returns the key in a request's header, or undefined. */
export const headerKey = ({ headers }: IncomingMessage): string | undefined => {
  const header = headers["cv-api-key"]
  return Array.isArray(header) ? header.join(",") : header
}

const queryOf = ({ url = "" }: IncomingMessage) => new URLSearchParams(url.slice(url.indexOf("?") + 1))

// Of /webhooks/stripe/c2.
const cellNameIn = ({ url = "/" }: IncomingMessage): string | undefined =>
  originForm(url).split("?", 1)[0]?.split("/")[3] || undefined

export class Callers extends Context.Service<
  Callers,
  {
    /** Returns the holder of a request whose caller is not known yet. */
    readonly unknown: (request: IncomingMessage) => LimitHolder
    /** Returns the partner of a key, which a request uses. */
    readonly partner: (
      key: string | undefined,
      request: IncomingMessage
    ) => Effect.Effect<KnownCaller, KeyMissing | KeyInvalid | NetworkRefused>
    /** Returns the caller of a request, by its headers, the endpoint's kind of caller, and its permission for staff. */
    readonly identify: <Kind extends PublicCaller>(
      kind: Kind,
      request: IncomingMessage,
      permission: Permission | undefined
    ) => Effect.Effect<KnownCaller<IdentityAt<Kind>>, Refusal>
  }
>()("@care/gateway/routing/Callers") {
  static readonly layer = Layer.effect(
    Callers,
    Effect.gen(function* () {
      const keys = yield* KeyResolver
      const cells = yield* Cells
      const { adminTokens, limits } = yield* GatewaySettings
      const addresses = makeClientAddresses(limits.trustedProxies)
      const isOperator = makeTokenCheck(adminTokens)
      const findStaff = yield* makeStaffCheck
      const { cookieName } = yield* staffOrigin

      // One identity object for all requests, so that its cached token is reused.
      const operator = {
        identity: callers.operator.Identity.make({}),
        name: "operator",
        isVerified: true,
        cell: cells.first
      }
      const link = callers.link.Identity.make({})
      const session = callers.session.Identity.make({})
      const pharmacy = callers.pharmacy.Identity.make({})
      const stripe = callers.stripe.Identity.make({})
      const scheduling = callers.scheduling.Identity.make({})

      const partner = Effect.fnUntraced(function* (key: string | undefined, request: IncomingMessage) {
        const { allowedNetworks, apiVersion, cell, identity, scopes } = yield* keys.resolve(key)
        const address = allowedNetworks === undefined ? undefined : addresses.outside(request, allowedNetworks)
        if (address !== undefined) return yield* new NetworkRefused({ address })
        return { identity, apiVersion, name: identity.organizationId, isVerified: true, cell, scopes }
      })

      // The signature is checked later, so these callers count by their address.
      const atAddress = <Who extends Identity>(identity: Who, request: IncomingMessage) => {
        const cellName = cellNameIn(request)
        const cell = cellName === undefined ? cells.first : cells.find(cellName)
        if (cell === undefined) return new CellUnknown()
        const name = `${identity._tag} at ${addresses.ofRequest(request)}`
        return Effect.succeed({ identity, name, isVerified: false, cell })
      }

      const staff = Effect.fnUntraced(function* (request: IncomingMessage, permission: Permission | undefined) {
        const session = yield* findStaff(request, permission)
        if (session === undefined) return yield* new OperatorTokenRejected()
        return {
          identity: yield* identityInMode(request, session),
          name: `staff ${session.identity.userId}`,
          isVerified: true,
          cell: session.cell,
          sandboxId: session.inSandbox?.organizationId
        }
      })

      const checks: Checks = {
        partner: (request) => partner(headerKey(request), request),
        operator: (request, permission) =>
          isOperator(request.headers.authorization) ? Effect.succeed(operator) : staff(request, permission),
        // The link names an organization, which is not checked yet. Links count apart from the organization's requests,
        // and by their address as well (`Entry`).
        link: (request) => {
          const query = queryOf(request)
          return Effect.succeed({
            identity: link,
            name: `links of ${query.get("organizationId") ?? ""}`,
            isVerified: false,
            cell: cells.find(query.get("cell") ?? "") ?? cells.first
          })
        },
        // Auth of the cell that the token names checks the session. Without one, the query may name the cell. A provider gives back the
        // state of a single sign-on, whatever session the browser had.
        session: (request) => {
          const { token = "" } = staffTokenOf(request.headers, cookieName) ?? {}
          const query = queryOf(request)
          const cellName =
            cellOfSignOnState(query.get("state") ?? "") ?? cellOfStaffToken(token) ?? query.get("cell") ?? ""
          return Effect.succeed({
            identity: session,
            name: `session at ${addresses.ofRequest(request)}`,
            isVerified: false,
            cell: cells.find(cellName) ?? cells.first
          })
        },
        pharmacy: (request) => atAddress(pharmacy, request),
        stripe: (request) => atAddress(stripe, request),
        scheduling: (request) => atAddress(scheduling, request)
      }

      return Callers.of({
        unknown: (request) => ({ name: `address ${addresses.ofRequest(request)}`, isVerified: false }),
        partner,
        identify: (kind, request, permission) => checks[kind](request, permission)
      })
    })
  )
}
