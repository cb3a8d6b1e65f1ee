import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"

/** What a process needs in order to work, by name: each check says whether it answers. */
export type ReadinessChecks = Readonly<Record<string, Effect.Effect<boolean>>>

const ready = Effect.fnUntraced(function* (checks: ReadinessChecks) {
  const results = yield* Effect.all(checks, { concurrency: "unbounded" })
  const isReady = Object.values(results).every((result) => result)
  return HttpServerResponse.jsonUnsafe(
    { status: isReady ? "ready" : "unavailable", checks: results },
    { status: isReady ? 200 : 503 }
  )
})

/** `GET /health/live`, `GET /health/ready` and `GET /metrics`, without a key. */
export const layerHealth = (checks: ReadinessChecks) =>
  Layer.mergeAll(
    HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" })),
    HttpRouter.add("GET", "/health/ready", ready(checks)),
    HttpRouter.add(
      "GET",
      "/metrics",
      Effect.map(PrometheusMetrics.format(), (text) =>
        HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
      )
    )
  )
