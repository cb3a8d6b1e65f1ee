import { callers as kinds } from "@care/domain/http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { GatewaySettings } from "../GatewaySettings.ts"
import { InFlight } from "../limits/InFlight.ts"
import { Callers } from "./Callers.ts"
import { makeRefusals } from "./refusals.ts"

const { Access, Current, kind } = kinds.operator

/** The check of who may call what the gateway answers itself: by the token, where services have the gateway's word. */
export const layerOwnAccess = Layer.effect(
  Access,
  Effect.gen(function* () {
    const callers = yield* Callers
    const inFlight = yield* InFlight
    const refuseBy = makeRefusals((yield* GatewaySettings).limits)

    return (httpEffect, { endpoint }) =>
      Effect.gen(function* () {
        const request = NodeHttpServerRequest.toIncomingMessage(yield* HttpServerRequest.HttpServerRequest)
        const { identity, name } = yield* callers.identify(kind, request)
        yield* inFlight.enter("gateway", name)
        return yield* Effect.provideService(httpEffect, Current, identity)
      }).pipe(Effect.scoped, refuseBy(endpoint))
  })
)
