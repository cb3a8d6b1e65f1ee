import { Effect, Metric } from "effect"
import { HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

// Skips a measure that does not answer in time, for example because the database is unavailable.
const inTime = (measure: Effect.Effect<void, unknown>) =>
  measure.pipe(
    Effect.timeout("2 seconds"),
    Effect.catchCause(() => Effect.void),
    Effect.withTracerEnabled(false)
  )

/**
 * Returns all metrics of the process in the format of Prometheus. `measures` run at each scrape, and their values are not kept: a
 * measure that does not answer within two seconds is missing from the scrape instead of showing an old value.
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
