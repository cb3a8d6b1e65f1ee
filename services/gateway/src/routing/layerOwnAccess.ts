import { callers as kinds, type PublicCaller, RateLimited, rateWindowSeconds } from "@care/domain/http"
import { type Permission, permissionOf } from "@care/domain/permissions"
import { neededScope } from "@care/domain/scopes"
import { CurrentIdentity, refusalOfStaff } from "@care/service-kit"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { CallerCell } from "../cells/index.ts"
import { RequestLog } from "../forwarding/index.ts"
import { GatewaySettings } from "../GatewaySettings.ts"
import { InFlight, RateLimits } from "../limits/index.ts"
import { Callers, type KnownCaller } from "./Callers.ts"
import { countsOf } from "./countsOf.ts"
import { refusalOfKey } from "./refusalOfKey.ts"
import { makeRefusals } from "./refusals.ts"
import { hasUnknownVersion, inVersion, versioned, versionOf, versionUnknown } from "./versions/index.ts"

const { operator, partner } = kinds

const incomingMessage = Effect.map(HttpServerRequest.HttpServerRequest, NodeHttpServerRequest.toIncomingMessage)

const makeIdentify = Effect.map(
  Callers,
  (callers) =>
    <Kind extends PublicCaller>(kind: Kind, permission: Permission | undefined) =>
      Effect.flatMap(incomingMessage, (request) => callers.identify(kind, request, permission))
)

// Counts requests of staff, and takes a slot until the scope closes.
const makeAdmit = Effect.gen(function* () {
  const inFlight = yield* InFlight
  const rates = yield* RateLimits
  return Effect.fnUntraced(function* (caller: KnownCaller) {
    for (const { name, rules } of countsOf([], caller)) {
      const { isExceeded, limit } = yield* rates.count(rules, name)
      if (isExceeded) return yield* new RateLimited({ limit, retryAfter: rateWindowSeconds })
    }
    yield* inFlight.enter("gateway", caller)
  })
})

const refusals = Effect.map(GatewaySettings, ({ limits }) => makeRefusals(limits))

/**
 * The access checks of the gateway's own endpoints: by the token or the key, where services check the gateway's token.
 */
export const layerOwnAccess = Layer.merge(
  Layer.effect(
    operator.Access,
    Effect.map(
      Effect.all([makeIdentify, makeAdmit, refusals]),
      ([identify, admit, refuseBy]) =>
        (httpEffect, { endpoint, group }) =>
          Effect.gen(function* () {
            const caller = yield* identify(operator.kind, permissionOf(group, endpoint))
            yield* admit(caller)
            const { identity } = caller
            const { url } = yield* HttpServerRequest.HttpServerRequest
            const query = new URLSearchParams(url.split("?", 2)[1])
            const refusal = refusalOfStaff(identity, { endpoint, group, params: yield* HttpRouter.params, query })
            if (refusal !== undefined) return yield* Effect.fail(refusal)
            return yield* httpEffect.pipe(
              Effect.provideService(operator.Current, identity),
              Effect.provideService(CurrentIdentity, identity)
            )
          }).pipe(Effect.scoped, refuseBy(endpoint))
    )
  ),
  Layer.effect(
    partner.Access,
    Effect.map(
      Effect.all([makeIdentify, makeAdmit, refusals, Clock.Clock, RequestLog]),
      ([identify, admit, refuseBy, clock, requestLog]) =>
        (httpEffect, { endpoint, group }) =>
          Effect.flatMap(incomingMessage, (request) => {
            const since = clock.currentTimeMillisUnsafe()
            const { method, path } = endpoint
            const answered = Effect.gen(function* () {
              const caller = yield* identify(partner.kind, undefined)
              const { cell, identity } = caller
              const admitted = Effect.gen(function* () {
                yield* admit(caller)
                if (hasUnknownVersion(request)) return yield* versionUnknown
                const refusal = refusalOfKey(caller, neededScope(group, endpoint))
                if (refusal !== undefined) return yield* Effect.fail(refusal)
                const response = yield* httpEffect.pipe(
                  Effect.provideService(partner.Current, identity),
                  Effect.provideService(CallerCell, cell)
                )
                return yield* inVersion(endpoint, versionOf(request, caller), response)
              })
              return yield* requestLog.logged(
                () => ({ cell, identity, method, path, since }),
                refuseBy(endpoint)(admitted)
              )
            })
            return versioned(endpoint, request, answered.pipe(Effect.scoped, refuseBy(endpoint)))
          })
    )
  )
)
