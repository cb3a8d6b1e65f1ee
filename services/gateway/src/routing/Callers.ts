import type { IncomingMessage } from "node:http"
import {
  callers,
  type Identity,
  type KeyInvalid,
  type KeyMissing,
  OperatorTokenRejected,
  type PublicCaller
} from "@care/domain/http"
import { makeClientAddresses } from "@care/service-kit"
import { Context, Effect, Layer, Redacted } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"
import { KeyResolver, makeOperatorCheck } from "../keys/index.ts"
import type { Holder } from "../limits/index.ts"

/** Who makes a request, and by which name it counts where something is shared out. */
export interface KnownCaller<Who extends Identity = Identity> extends Holder {
  readonly identity: Who
}

type IdentityOf<Kind extends PublicCaller> = Extract<Identity, { readonly _tag: Kind }>

type Refusal = KeyMissing | KeyInvalid | OperatorTokenRejected

// A kind of callers in the domain asks for its check here.
type Checks = {
  readonly [Kind in PublicCaller]: (request: IncomingMessage) => Effect.Effect<KnownCaller<IdentityOf<Kind>>, Refusal>
}

/** The key in a request's header; undefined when there is none. */
export const headerKey = ({ headers }: IncomingMessage): string | undefined => {
  const header = headers["cv-api-key"]
  return Array.isArray(header) ? header.join(",") : header
}

const organizationOf = ({ url = "" }: IncomingMessage): string =>
  new URLSearchParams(url.slice(url.indexOf("?") + 1)).get("organizationId") ?? ""

export class Callers extends Context.Service<
  Callers,
  {
    /** Whom a request counts for while nobody knows who makes it. */
    readonly unknown: (request: IncomingMessage) => Holder
    /** The partner whose key it is. */
    readonly partner: (key: string | undefined) => Effect.Effect<KnownCaller, KeyMissing | KeyInvalid>
    /** The caller by the headers of a request, of the kind that its endpoint is for. */
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
      const { adminToken, limits } = yield* GatewaySettings
      const addresses = makeClientAddresses(limits.trustedProxies)
      const isOperator = makeOperatorCheck(Redacted.value(adminToken))

      // One identity for all requests, whose token is so made once in a while.
      const operator = { identity: callers.operator.Identity.make({}), name: "operator", isVerified: true }
      const link = callers.link.Identity.make({})
      const pharmacy = callers.pharmacy.Identity.make({})
      const stripe = callers.stripe.Identity.make({})
      const scheduling = callers.scheduling.Identity.make({})

      const partner = (key: string | undefined) =>
        Effect.map(keys.resolve(key), (identity) => ({ identity, name: identity.organizationId, isVerified: true }))

      // Nobody has checked the signature yet: those who say that they are these count by where they are.
      const at = <Who extends Identity>(identity: Who, request: IncomingMessage) =>
        Effect.succeed({ identity, name: `${identity._tag} at ${addresses.of(request)}`, isVerified: false })

      const checks: Checks = {
        partner: (request) => partner(headerKey(request)),
        operator: ({ headers }) =>
          isOperator(headers.authorization) ? Effect.succeed(operator) : new OperatorTokenRejected(),
        // The link names the organization whose file it is, which nobody has checked yet: links count apart from the
        // organization's own requests, and by where they come from as well (`Entry`).
        link: (request) =>
          Effect.succeed({ identity: link, name: `links of ${organizationOf(request)}`, isVerified: false }),
        pharmacy: (request) => at(pharmacy, request),
        stripe: (request) => at(stripe, request),
        scheduling: (request) => at(scheduling, request)
      }

      return Callers.of({
        unknown: (request) => ({ name: `address ${addresses.of(request)}`, isVerified: false }),
        partner,
        identify: (kind, request) => checks[kind](request)
      })
    })
  )
}
