import { callers as kinds, type PublicCaller } from "@care/domain/http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { CallerCell } from "../cells/index.ts"
import { GatewaySettings } from "../GatewaySettings.ts"
import { InFlight } from "../limits/index.ts"
import { Callers } from "./Callers.ts"
import { makeRefusals } from "./refusals.ts"

const { operator, partner } = kinds

// Identifies the caller, and takes a slot until the scope closes.
const makeAdmit = Effect.gen(function* () {
  const callers = yield* Callers
  const inFlight = yield* InFlight
  return Effect.fnUntraced(function* <Kind extends PublicCaller>(kind: Kind) {
    const request = NodeHttpServerRequest.toIncomingMessage(yield* HttpServerRequest.HttpServerRequest)
    const caller = yield* callers.identify(kind, request)
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
        (httpEffect, { endpoint }) =>
          Effect.flatMap(admit(operator.kind), ({ identity }) =>
            Effect.provideService(httpEffect, operator.Current, identity)
          ).pipe(Effect.scoped, refuseBy(endpoint))
    )
  ),
  Layer.effect(
    partner.Access,
    Effect.map(
      Effect.all([makeAdmit, refusals]),
      ([admit, refuseBy]) =>
        (httpEffect, { endpoint }) =>
          Effect.flatMap(admit(partner.kind), ({ cell, identity }) =>
            httpEffect.pipe(Effect.provideService(partner.Current, identity), Effect.provideService(CallerCell, cell))
          ).pipe(Effect.scoped, refuseBy(endpoint))
    )
  )
)
