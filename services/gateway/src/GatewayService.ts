import { gatewayPort } from "@care/domain/peers"
import {
  layerHealth,
  layerHttpClient,
  layerTelemetry,
  metricsWith,
  type ReadinessChecks,
  ServiceConfig,
  serve
} from "@care/service-kit"
import { Effect, Layer, Record } from "effect"
import { type HttpClient, HttpRouter, HttpServerRequest } from "effect/http"
import { layerStatus } from "./admin/index.ts"
import { metricsRefused } from "./answers.ts"
import { type Cell, CellOfId, Cells, makeIsReady } from "./cells/index.ts"
import { layerConsole } from "./console/index.ts"
import { CellLists, Forwarder, layerRequestLog, Traffic } from "./forwarding/index.ts"
import { GatewaySettings } from "./GatewaySettings.ts"
import { KeyResolver, makeTokenCheck, StaffResolver } from "./keys/index.ts"
import { layerOwnApi } from "./layerOwnApi.ts"
import { limitedServer } from "./limitedServer.ts"
import { InFlight, layerReachedQuotas, RateLimits } from "./limits/index.ts"
import { layerDocs } from "./openapi/index.ts"
import { layerOtherCellsApi } from "./otherCells/index.ts"
import { Bodies } from "./receiving/index.ts"
import { Callers, Entry, layerRoutes, makeOtherMethods, OperatorCells } from "./routing/index.ts"

/**
 * One readiness check for each service, which passes if the service reports that it is ready. With several cells its name begins with the
 * cell: `c2/auth`.
 */
const peerChecks: Effect.Effect<ReadinessChecks, never, Cells | HttpClient.HttpClient> = Effect.gen(function* () {
  const cells = yield* Cells
  const isReady = yield* makeIsReady
  const checksOf = (cell: Cell) =>
    Record.keys(cell.services).map(
      (service) => [cells.all.length === 1 ? service : `${cell.name}/${service}`, isReady(cell, service)] as const
    )
  return Object.fromEntries(cells.all.flatMap(checksOf))
})

/** `GET /metrics`, with a token: the gateway is public. */
const layerMetrics = Layer.unwrap(
  Effect.map(GatewaySettings, ({ metricsTokens }) => {
    const mayRead = makeTokenCheck(metricsTokens)
    return HttpRouter.add(
      "GET",
      "/metrics",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        mayRead(headers["authorization"]) ? metricsWith([]) : Effect.succeed(metricsRefused)
      )
    )
  })
)

const routes = Layer.merge(layerRoutes, layerOwnApi).pipe(
  Layer.provide(Entry.layer),
  Layer.provide([
    CellLists.layer,
    OperatorCells.layer,
    Forwarder.layer,
    Callers.layer,
    InFlight.layer,
    RateLimits.layer,
    layerReachedQuotas,
    Bodies.layer
  ]),
  Layer.provide([KeyResolver.layer, layerRequestLog, StaffResolver.layer, Traffic.layer])
)

const health = Layer.unwrap(Effect.map(peerChecks, layerHealth))

/** The gateway without its configuration and telemetry. */
export const layerGateway = Layer.unwrap(
  Effect.gen(function* () {
    const { isProduction } = yield* ServiceConfig
    const { limits } = yield* GatewaySettings
    return serve(
      Layer.mergeAll(routes, layerOtherCellsApi, health, layerMetrics, layerDocs, layerConsole, layerStatus),
      {
        unrouted: makeOtherMethods(),
        accessLog: isProduction ? "problems" : "all",
        makeServer: limitedServer(limits)
      }
    )
  })
).pipe(
  Layer.provide(CellOfId.layer),
  Layer.provide(Cells.layer),
  Layer.provide(GatewaySettings.layer),
  Layer.provide(layerHttpClient)
)

export const GatewayService = layerGateway.pipe(
  Layer.provide(layerTelemetry),
  Layer.provide(ServiceConfig.layer("gateway", gatewayPort))
)
