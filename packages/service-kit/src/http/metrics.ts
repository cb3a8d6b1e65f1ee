import { Effect, Metric } from "effect"
import { HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

/**
 * Everything that the process measured, as Prometheus reads it, and what `measure` measures when it is asked for: that is
 * kept nowhere, so that no old value is told for what could not be measured.
 */
export const metricsWith = (measure: Effect.Effect<void>): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.gen(function* () {
    const now = yield* Effect.andThen(measure, PrometheusMetrics.format()).pipe(
      Effect.provideService(Metric.MetricRegistry, new Map())
    )
    const text = `${yield* PrometheusMetrics.format()}${now}`
    return HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  })

export const metrics = metricsWith(Effect.void)
