import { metricsWith } from "@care/service-kit"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { operatorOnly } from "./answers.ts"
import { GatewaySettings } from "./GatewaySettings.ts"
import { makeOperatorCheck } from "./keys/index.ts"

/** `GET /metrics`, for the operator alone: the gateway is public. */
export const layerMetrics = Layer.unwrap(
  Effect.map(GatewaySettings, ({ adminToken }) => {
    const isOperator = makeOperatorCheck(Redacted.value(adminToken))
    return HttpRouter.add(
      "GET",
      "/metrics",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        isOperator(headers["authorization"]) ? metricsWith([]) : Effect.succeed(operatorOnly)
      )
    )
  })
)
