import type { Mode } from "@care/domain/auth"
import { type Context, Metric } from "effect"

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

// Has its attributes from the start, because `Metric.withAttributes` would build the name of the series at each update.
const durationOf = (method: string, mode: Mode, route: string, status: number) =>
  Metric.histogram("http_server_request_duration_seconds", {
    description: "Time from the arrival of a request to its answer",
    boundaries: seconds,
    attributes: { method, mode, route, status: String(status) }
  })

const metrics = new Map<string, ReturnType<typeof durationOf>>()

const metricOf = (method: string, mode: Mode, route: string, status: number) => {
  const key = `${method} ${mode} ${route} ${status}`
  const metric = metrics.get(key) ?? durationOf(method, mode, route, status)
  metrics.set(key, metric)
  return metric
}

/**
 * Records an answered request. `route` is the pattern of the route, never the path, which may name a patient. The mode is `test` for what a
 * service answered to a sandbox, whose failures may be chosen.
 */
export const recordRequest = (
  context: Context.Context<never>,
  method: string,
  mode: Mode,
  route: string,
  status: number,
  millis: number
): void => metricOf(method, mode, route, status).updateUnsafe(millis / 1000, context)
