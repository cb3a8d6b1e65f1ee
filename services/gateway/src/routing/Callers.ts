import type { IncomingMessage } from "node:http"
import {
  type Identity,
  type KeyInvalid,
  type KeyMissing,
  LinkIdentity,
  OperatorIdentity,
  OperatorTokenRejected,
  PartnerIdentity
} from "@care/domain"
import { RequestId } from "@care/service-kit"
import { Context, Effect, Layer, Redacted } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"
import { KeyResolver } from "../keys/KeyResolver.ts"
import { makeOperatorCheck } from "../keys/operatorToken.ts"
import type { Route } from "./routes.ts"

/** The key in a request's header; undefined when there is none. */
export const headerKey = ({ headers }: IncomingMessage): string | undefined => {
  const header = headers["cv-api-key"]
  return Array.isArray(header) ? header.join(",") : header
}

/** Who makes a request. */
export class Callers extends Context.Service<
  Callers,
  {
    /** The partner whose key it is. */
    readonly partner: (key: string | undefined) => Effect.Effect<PartnerIdentity, KeyMissing | KeyInvalid>
    /** The caller by the headers of a request, as a route asks for it. */
    readonly identify: (
      access: Route["access"],
      request: IncomingMessage
    ) => Effect.Effect<Identity, KeyMissing | KeyInvalid | OperatorTokenRejected>
  }
>()("@care/gateway/routing/Callers") {
  static readonly layer = Layer.effect(
    Callers,
    Effect.gen(function* () {
      const keys = yield* KeyResolver
      const isOperator = makeOperatorCheck(Redacted.value((yield* GatewaySettings).adminToken))

      const partner = Effect.fnUntraced(function* (key: string | undefined) {
        const resolved = yield* keys.resolve(key)
        return new PartnerIdentity({ ...resolved, requestId: yield* RequestId })
      })

      const operator = Effect.fnUntraced(function* ({ headers }: IncomingMessage) {
        if (!isOperator(headers.authorization)) return yield* new OperatorTokenRejected()
        return new OperatorIdentity({ requestId: yield* RequestId })
      })

      const link = Effect.map(RequestId, (requestId) => new LinkIdentity({ requestId }))

      return Callers.of({
        partner,
        identify: (access, request) => {
          if (access === "partner") return partner(headerKey(request))
          return access === "operator" ? operator(request) : link
        }
      })
    })
  )
}
