import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

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

/** `GET /health/live` and `GET /health/ready`, for anyone. */
export const layerHealth = (checks: ReadinessChecks) =>
  Layer.mergeAll(
    HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" })),
    HttpRouter.add("GET", "/health/ready", ready(checks))
  )
