import { Effect, Layer, Record } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

/** The dependencies of a process by name. Each check returns whether the dependency answers. */
export type ReadinessChecks = Readonly<Record<string, Effect.Effect<boolean>>>

const statusOf = (dependencies: number, away: number) => {
  if (away === 0) return "ready"
  return away < dependencies ? "degraded" : "unavailable"
}

// A process that can still reach a part of what it depends on serves that part, and refuses the rest by itself.
const ready = Effect.fnUntraced(function* (checks: ReadinessChecks) {
  const results = yield* Effect.all(checks, { concurrency: "unbounded" })
  const away = Record.keys(Record.filter(results, (answers) => !answers))
  const status = statusOf(Record.size(results), away.length)
  return HttpServerResponse.jsonUnsafe(
    { status, away, checks: results },
    { status: status === "unavailable" ? 503 : 200 }
  )
})

// Anybody may call this, so parallel calls share one check.
const shared = (checks: ReadinessChecks) => Effect.cachedWithTTL(ready(checks), "200 millis")

/**
 * Answers `GET /health/live` and `GET /health/ready`, without credentials. Readiness is 503 (`unavailable`) if no dependency answers, and
 * otherwise 200: `degraded` if some are away, which it names, or `ready`.
 */
export const layerHealth = (checks: ReadinessChecks) =>
  Layer.merge(
    HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" })),
    Layer.unwrap(Effect.map(shared(checks), (answer) => HttpRouter.add("GET", "/health/ready", answer)))
  )
