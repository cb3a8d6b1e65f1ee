import { Effect, Metric } from "effect"
import { HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

// What does not answer in time, such as a database that is away, is left out, and holds nobody up.
const inTime = (measure: Effect.Effect<void, unknown>) =>
  measure.pipe(
    Effect.timeout("2 seconds"),
    Effect.catchCause(() => Effect.void),
    Effect.withTracerEnabled(false)
  )

/**
 * Everything that the process measured, as Prometheus reads it, and what is measured when it is asked for: that is kept
 * nowhere, so that no old value is told for what could not be measured within two seconds.
 */
export const metricsWith = (
  measures: ReadonlyArray<Effect.Effect<void, unknown>>
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.gen(function* () {
    const measured = Effect.forEach(measures, inTime, { concurrency: "unbounded", discard: true })
    const now = yield* Effect.andThen(measured, PrometheusMetrics.format()).pipe(
      Effect.provideService(Metric.MetricRegistry, new Map())
    )
    const text = `${yield* PrometheusMetrics.format()}${now}`
    return HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
  })

export const metrics = metricsWith([])
