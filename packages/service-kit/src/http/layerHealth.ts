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

// Anybody may ask, and each look asks others: those who ask at the same time share one.
const shared = (checks: ReadinessChecks) => Effect.cachedWithTTL(ready(checks), "200 millis")

/** `GET /health/live` and `GET /health/ready`, for anyone. */
export const layerHealth = (checks: ReadinessChecks) =>
  Layer.merge(
    HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" })),
    Layer.unwrap(Effect.map(shared(checks), (answer) => HttpRouter.add("GET", "/health/ready", answer)))
  )
