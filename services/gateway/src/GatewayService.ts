import { gatewayPort } from "@care/domain/peers"
import { IdentityTokens, layerHealth, layerHttpClient, layerTelemetry, ServiceConfig, serve } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { Forwarder } from "./forwarding/index.ts"
import { GatewaySettings } from "./GatewaySettings.ts"
import { KeyResolver } from "./keys/index.ts"
import { layerMetrics } from "./layerMetrics.ts"
import { layerOwnApi } from "./layerOwnApi.ts"
import { InFlight, layerReachedQuotas, RateLimits } from "./limits/index.ts"
import { layerDocs } from "./openapi/index.ts"
import { peerChecks } from "./peerChecks.ts"
import { Bodies } from "./receiving/index.ts"
import { Callers, Entry, layerRoutes, makeOtherMethods } from "./routing/index.ts"
import { serverLimits } from "./serverLimits.ts"

const routes = Layer.merge(layerRoutes, layerOwnApi).pipe(
  Layer.provide(Entry.layer),
  Layer.provide([Forwarder.layer, Callers.layer, InFlight.layer, RateLimits.layer, layerReachedQuotas, Bodies.layer]),
  Layer.provide(KeyResolver.layer)
)

const health = Layer.unwrap(Effect.map(peerChecks, layerHealth))

/** The gateway without its configuration and telemetry. */
export const layerGateway = Layer.unwrap(
  Effect.gen(function* () {
    const { isProduction } = yield* ServiceConfig
    const { limits } = yield* GatewaySettings
    return serve(Layer.mergeAll(routes, health, layerMetrics, layerDocs), {
      unrouted: makeOtherMethods(),
      accessLog: isProduction ? "problems" : "all",
      limits: serverLimits(limits)
    })
  })
).pipe(Layer.provide(GatewaySettings.layer), Layer.provide([layerHttpClient, IdentityTokens.layer]))

export const GatewayService = layerGateway.pipe(
  Layer.provide(layerTelemetry),
  Layer.provide(ServiceConfig.layer("gateway", gatewayPort))
)
