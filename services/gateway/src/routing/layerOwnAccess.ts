import type { IncomingMessage } from "node:http"
import { callers as kinds } from "@care/domain/http"
import { permissionOf } from "@care/domain/permissions"
import { neededScope } from "@care/domain/scopes"
import { CurrentIdentity, refusalOfStaff, scopeOf } from "@care/service-kit"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { CallerCell } from "../cells/index.ts"
import { RequestLog } from "../forwarding/index.ts"
import { GatewaySettings } from "../GatewaySettings.ts"
import { InFlight } from "../limits/index.ts"
import { Callers } from "./Callers.ts"
import { challenging } from "./challenges.ts"
import { makeCounted } from "./makeCounted.ts"
import { refusalOfKey } from "./refusalOfKey.ts"
import { makeRefusals } from "./refusals.ts"
import { hasUnknownVersion, versioned, versionUnknown } from "./versions/index.ts"

const { operator, partner } = kinds

/** An endpoint of the gateway with its group. */
interface Operation {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: { readonly identifier: string }
}

type Kind = "operator" | "partner"

const incomingMessage = Effect.map(HttpServerRequest.HttpServerRequest, NodeHttpServerRequest.toIncomingMessage)

// Makes the function that identifies the caller of a request, counts it if it is of staff, logs it if it is of a partner, and answers it in
// a slot.
const makeAdmit = Effect.gen(function* () {
  const callers = yield* Callers
  const clock = yield* Clock.Clock
  const counted = yield* makeCounted
  const inFlight = yield* InFlight
  const requestLog = yield* RequestLog
  const refuseBy = makeRefusals((yield* GatewaySettings).limits)
  return <Who extends Kind, E, R>(
    kind: Who,
    request: IncomingMessage,
    { endpoint, group }: Operation,
    answerTo: (
      caller: Effect.Success<ReturnType<typeof callers.identify<Who>>>
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) => {
    const since = clock.currentTimeMillisUnsafe()
    const { method, path } = endpoint
    return callers.identify(kind, request, permissionOf(group, endpoint)).pipe(
      Effect.flatMap((caller) => {
        const { apiVersion, cell, identity, isVerified, name } = caller
        // A list of operators asks all cells, and takes no slot of one.
        const holder = kind === operator.kind && scopeOf(identity) === undefined ? { isVerified, name } : caller
        const refused = Effect.andThen(inFlight.enter("gateway", holder), answerTo(caller)).pipe(
          Effect.scoped,
          refuseBy(endpoint)
        )
        const answered = apiVersion === undefined ? refused : versioned(endpoint, request, refused, caller)
        return requestLog.logged(
          () => ({ cell, identity, method, path, since }),
          counted(endpoint, [], caller, answered)
        )
      }),
      refuseBy(endpoint),
      Effect.map(challenging(kind, request))
    )
  }
})

/**
 * The access checks of the gateway's own endpoints: by the token or the key, where services check the gateway's token.
 */
export const layerOwnAccess = Layer.merge(
  Layer.effect(
    operator.Access,
    Effect.map(
      makeAdmit,
      (admit) =>
        (httpEffect, { endpoint, group }) =>
          Effect.flatMap(incomingMessage, (request) =>
            admit(
              operator.kind,
              request,
              { endpoint, group },
              Effect.fnUntraced(function* ({ identity }) {
                const { url } = yield* HttpServerRequest.HttpServerRequest
                const query = new URLSearchParams(url.split("?", 2)[1])
                const refusal = refusalOfStaff(identity, { endpoint, group, params: yield* HttpRouter.params, query })
                if (refusal !== undefined) return yield* Effect.fail(refusal)
                return yield* httpEffect.pipe(
                  Effect.provideService(operator.Current, identity),
                  Effect.provideService(CurrentIdentity, identity)
                )
              })
            )
          )
    )
  ),
  Layer.effect(
    partner.Access,
    Effect.map(
      makeAdmit,
      (admit) =>
        (httpEffect, { endpoint, group }) =>
          Effect.flatMap(incomingMessage, (request) => {
            const answer = admit(
              partner.kind,
              request,
              { endpoint, group },
              Effect.fnUntraced(function* (caller) {
                if (hasUnknownVersion(request)) return yield* versionUnknown
                const refusal = refusalOfKey(caller, neededScope(group, endpoint))
                if (refusal !== undefined) return yield* Effect.fail(refusal)
                return yield* httpEffect.pipe(
                  Effect.provideService(partner.Current, caller.identity),
                  Effect.provideService(CallerCell, caller.cell)
                )
              })
            )
            return versioned(endpoint, request, answer)
          })
    )
  )
)
