import { Pool } from "undici"

/** Makes one request of a load; called for each request, so that bodies may differ. */
export interface LoadRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** The results of a load. Times in milliseconds. */
export interface LoadResult {
  readonly requestsPerSecond: number
  readonly requests: number
  readonly p50: number
  readonly p99: number
}

const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Sends requests over `connections` keep-alive connections, one at a time each, for `millis`. Throws unless all responses are 200. */
export const load = async (
  origin: string,
  connections: number,
  millis: number,
  make: () => LoadRequest
): Promise<LoadResult> => {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const times: Array<number> = []
  const start = performance.now()
  const worker = async () => {
    while (performance.now() - start < millis) {
      const sentAt = performance.now()
      const response = await pool.request(make())
      const text = await response.body.text()
      if (response.statusCode !== 200) throw new Error(`${origin} answered ${response.statusCode}: ${text}`)
      times.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - start) / 1000
  await pool.close()
  const sorted = Float64Array.from(times).sort()
  return {
    requests: times.length,
    requestsPerSecond: times.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99)
  }
}
