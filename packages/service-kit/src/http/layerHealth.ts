import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

/** The dependencies of a process by name. Each check returns whether the dependency answers. */
export type ReadinessChecks = Readonly<Record<string, Effect.Effect<boolean>>>

const ready = Effect.fnUntraced(function* (checks: ReadinessChecks) {
  const results = yield* Effect.all(checks, { concurrency: "unbounded" })
  const isReady = Object.values(results).every((result) => result)
  return HttpServerResponse.jsonUnsafe(
    { status: isReady ? "ready" : "unavailable", checks: results },
    { status: isReady ? 200 : 503 }
  )
})

// Anybody may call this, so parallel calls share one check.
const shared = (checks: ReadinessChecks) => Effect.cachedWithTTL(ready(checks), "200 millis")

/** Answers `GET /health/live` and `GET /health/ready`, without credentials. */
export const layerHealth = (checks: ReadinessChecks) =>
  Layer.merge(
    HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" })),
    Layer.unwrap(Effect.map(shared(checks), (answer) => HttpRouter.add("GET", "/health/ready", answer)))
  )
