import type { IncomingMessage } from "node:http"
import {
  callers,
  type Identity,
  type KeyInvalid,
  type KeyMissing,
  OperatorTokenRejected,
  type PublicCaller
} from "@care/domain/http"
import { Context, Effect, Layer, Redacted } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"
import { KeyResolver } from "../keys/KeyResolver.ts"
import { makeOperatorCheck } from "../keys/operatorToken.ts"

/** Who makes a request, and by which name it counts where something is shared out. */
export interface KnownCaller<Who extends Identity = Identity> {
  readonly identity: Who
  readonly name: string
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

const addressOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? ""

export class Callers extends Context.Service<
  Callers,
  {
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
      const isOperator = makeOperatorCheck(Redacted.value((yield* GatewaySettings).adminToken))

      // One identity for all requests, whose token is so made once in a while.
      const operator = { identity: callers.operator.Identity.make({}), name: "operator" }
      const link = callers.link.Identity.make({})
      const pharmacy = callers.pharmacy.Identity.make({})
      const stripe = callers.stripe.Identity.make({})
      const scheduling = callers.scheduling.Identity.make({})

      const partner = (key: string | undefined) =>
        Effect.map(keys.resolve(key), (identity) => ({ identity, name: identity.organizationId }))

      const checks: Checks = {
        partner: (request) => partner(headerKey(request)),
        operator: ({ headers }) =>
          isOperator(headers.authorization) ? Effect.succeed(operator) : new OperatorTokenRejected(),
        // The link names the organization whose file it is, which nobody has checked yet: links count apart from the
        // organization's own requests.
        link: (request) => Effect.succeed({ identity: link, name: `links of ${organizationOf(request)}` }),
        // Nobody has checked the signature yet: those who say that they are these count by where they are.
        pharmacy: (request) => Effect.succeed({ identity: pharmacy, name: `pharmacy at ${addressOf(request)}` }),
        stripe: (request) => Effect.succeed({ identity: stripe, name: `stripe at ${addressOf(request)}` }),
        scheduling: (request) => Effect.succeed({ identity: scheduling, name: `scheduling at ${addressOf(request)}` })
      }

      return Callers.of({ partner, identify: (kind, request) => checks[kind](request) })
    })
  )
}
