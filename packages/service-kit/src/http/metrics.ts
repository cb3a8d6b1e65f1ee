import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

/** Everything that the process measured, as Prometheus reads it. */
export const metrics: Effect.Effect<HttpServerResponse.HttpServerResponse> = Effect.map(
  PrometheusMetrics.format(),
  (text) => HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
)
