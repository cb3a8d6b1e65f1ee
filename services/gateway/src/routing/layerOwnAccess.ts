import { callers as kinds, type PublicCaller, RateLimited, rateWindowSeconds } from "@care/domain/http"
import { type Permission, permissionOf } from "@care/domain/permissions"
import { CurrentIdentity, refusalOfStaff } from "@care/service-kit"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { CallerCell } from "../cells/index.ts"
import { GatewaySettings } from "../GatewaySettings.ts"
import { InFlight, RateLimits } from "../limits/index.ts"
import { Callers } from "./Callers.ts"
import { countsOf } from "./countsOf.ts"
import { makeRefusals } from "./refusals.ts"
import { hasUnknownVersion, inVersion, versioned, versionOf, versionUnknown } from "./versions/index.ts"

const { operator, partner } = kinds

const incomingMessage = Effect.map(HttpServerRequest.HttpServerRequest, NodeHttpServerRequest.toIncomingMessage)

// Identifies the caller, counts requests of staff, and takes a slot until the scope closes.
const makeAdmit = Effect.gen(function* () {
  const callers = yield* Callers
  const inFlight = yield* InFlight
  const rates = yield* RateLimits
  return Effect.fnUntraced(function* <Kind extends PublicCaller>(kind: Kind, permission: Permission | undefined) {
    const request = yield* incomingMessage
    const caller = yield* callers.identify(kind, request, permission)
    for (const { name, rules } of countsOf([], caller)) {
      const { isExceeded, limit } = yield* rates.count(rules, name)
      if (isExceeded) return yield* new RateLimited({ limit, retryAfter: rateWindowSeconds })
    }
    yield* inFlight.enter("gateway", caller)
    return caller
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
      Effect.all([makeAdmit, refusals]),
      ([admit, refuseBy]) =>
        (httpEffect, { endpoint, group }) =>
          Effect.gen(function* () {
            const { identity } = yield* admit(operator.kind, permissionOf(group, endpoint))
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
      Effect.all([makeAdmit, refusals]),
      ([admit, refuseBy]) =>
        (httpEffect, { endpoint }) =>
          Effect.flatMap(incomingMessage, (request) => {
            const answered = Effect.gen(function* () {
              const caller = yield* admit(partner.kind, undefined)
              if (hasUnknownVersion(request)) return yield* versionUnknown
              const response = yield* httpEffect.pipe(
                Effect.provideService(partner.Current, caller.identity),
                Effect.provideService(CallerCell, caller.cell)
              )
              return yield* inVersion(endpoint, versionOf(request, caller), response)
            })
            return versioned(endpoint, request, answered.pipe(Effect.scoped, refuseBy(endpoint)))
          })
    )
  )
)
