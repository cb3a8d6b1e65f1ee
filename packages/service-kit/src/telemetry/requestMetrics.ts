import { type Effect, Metric } from "effect"

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const duration = Metric.histogram("http_server_request_duration_seconds", {
  description: "Time from the arrival of a request to its answer",
  boundaries: seconds
})

const labelled = new Map<string, typeof duration>()

const metricOf = (method: string, route: string, status: number) => {
  const key = `${method} ${route} ${status}`
  const known = labelled.get(key)
  if (known !== undefined) return known
  const made = Metric.withAttributes(duration, { method, route, status: String(status) })
  labelled.set(key, made)
  return made
}

/** Counts one answered request. `route` is the route's pattern, never the path, which may name a patient. */
export const recordRequest = (method: string, route: string, status: number, millis: number): Effect.Effect<void> =>
  Metric.update(metricOf(method, route, status), millis / 1000)
