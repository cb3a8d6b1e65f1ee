import { IdentityTokens, layerHealth, layerHttpClient, layerTelemetry, ServiceConfig, serve } from "@care/service-kit"
import { Effect, Layer } from "effect"
import { Forwarder } from "./forwarding/Forwarder.ts"
import { GatewaySettings } from "./GatewaySettings.ts"
import { KeyResolver } from "./keys/KeyResolver.ts"
import { RateLimits } from "./limits/RateLimits.ts"
import { layerDocs } from "./openapi/layerDocs.ts"
import { peerChecks } from "./peerChecks.ts"
import { Entry } from "./routing/Entry.ts"
import { layerRoutes } from "./routing/layerRoutes.ts"

const routes = layerRoutes.pipe(
  Layer.provide(Entry.layer),
  Layer.provide([Forwarder.layer, KeyResolver.layer, RateLimits.layerMemory])
)

const health = Layer.unwrap(Effect.map(peerChecks, layerHealth))

/** The gateway as a process. */
export const GatewayService = Layer.unwrap(
  Effect.map(ServiceConfig, ({ isProduction }) =>
    serve(Layer.mergeAll(routes, health, layerDocs), { accessLog: isProduction ? "problems" : "all" })
  )
).pipe(
  Layer.provide(GatewaySettings.layer),
  Layer.provide([layerHttpClient, layerTelemetry]),
  Layer.provide(IdentityTokens.layer),
  Layer.provide(ServiceConfig.layer("gateway", 8080))
)
