import type { IncomingMessage } from "node:http"
import {
  callers,
  type Identity,
  type KeyInvalid,
  type KeyMissing,
  OperatorTokenRejected,
  type PublicCaller
} from "@care/domain/http"
import { Context, Effect, Layer } from "effect"
import { makeClientAddresses } from "../clientAddress.ts"
import { GatewaySettings } from "../GatewaySettings.ts"
import { KeyResolver, makeOperatorCheck } from "../keys/index.ts"
import type { LimitHolder } from "../limits/index.ts"

/** An identified caller, and the name under which it counts in shared limits. */
export interface KnownCaller<Who extends Identity = Identity> extends LimitHolder {
  readonly identity: Who
}

type IdentityOf<Kind extends PublicCaller> = Extract<Identity, { readonly _tag: Kind }>

type Refusal = KeyMissing | KeyInvalid | OperatorTokenRejected

// Every kind of caller of the domain needs a check here.
type Checks = {
  readonly [Kind in PublicCaller]: (request: IncomingMessage) => Effect.Effect<KnownCaller<IdentityOf<Kind>>, Refusal>
}

/** Returns the key in a request's header, or undefined. */
export const headerKey = ({ headers }: IncomingMessage): string | undefined => {
  const header = headers["cv-api-key"]
  return Array.isArray(header) ? header.join(",") : header
}

const organizationOf = ({ url = "" }: IncomingMessage): string =>
  new URLSearchParams(url.slice(url.indexOf("?") + 1)).get("organizationId") ?? ""

export class Callers extends Context.Service<
  Callers,
  {
    /** Returns the holder of a request whose caller is not known yet. */
    readonly unknown: (request: IncomingMessage) => LimitHolder
    /** Returns the partner of a key. */
    readonly partner: (key: string | undefined) => Effect.Effect<KnownCaller, KeyMissing | KeyInvalid>
    /** Returns the caller of a request, by its headers and the endpoint's kind of caller. */
    readonly identify: <Kind extends PublicCaller>(
      kind: Kind,
      request: IncomingMessage
    ) => Effect.Effect<KnownCaller<IdentityOf<Kind>>, Refusal>
  }
>()("@care/gateway/routing/Callers") {
  static readonly layer = Layer.effect(
    Callers,
    Effect.gen(function* () {
      const keys = yield* KeyResolver
      const { adminTokens, limits } = yield* GatewaySettings
      const addresses = makeClientAddresses(limits.trustedProxies)
      const isOperator = makeOperatorCheck(adminTokens)

      // One identity object for all requests, so that its cached token is reused.
      const operator = { identity: callers.operator.Identity.make({}), name: "operator", isVerified: true }
      const link = callers.link.Identity.make({})
      const pharmacy = callers.pharmacy.Identity.make({})
      const stripe = callers.stripe.Identity.make({})
      const scheduling = callers.scheduling.Identity.make({})

      const partner = (key: string | undefined) =>
        Effect.map(keys.resolve(key), (identity) => ({ identity, name: identity.organizationId, isVerified: true }))

      // The signature is checked later, so these callers count by their address.
      const atAddress = <Who extends Identity>(identity: Who, request: IncomingMessage) =>
        Effect.succeed({ identity, name: `${identity._tag} at ${addresses.ofRequest(request)}`, isVerified: false })

      const checks: Checks = {
        partner: (request) => partner(headerKey(request)),
        operator: ({ headers }) =>
          isOperator(headers.authorization) ? Effect.succeed(operator) : new OperatorTokenRejected(),
        // The link names an organization, which is not checked yet. Links count apart from the organization's requests,
        // and by their address as well (`Entry`).
        link: (request) =>
          Effect.succeed({ identity: link, name: `links of ${organizationOf(request)}`, isVerified: false }),
        pharmacy: (request) => atAddress(pharmacy, request),
        stripe: (request) => atAddress(stripe, request),
        scheduling: (request) => atAddress(scheduling, request)
      }

      return Callers.of({
        unknown: (request) => ({ name: `address ${addresses.ofRequest(request)}`, isVerified: false }),
        partner,
        identify: (kind, request) => checks[kind](request)
      })
    })
  )
}
