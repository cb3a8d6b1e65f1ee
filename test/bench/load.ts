import { Pool } from "undici"

/** One request of a load: made anew for each call, so that bodies may differ. */
export interface LoadRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** What a load measured. Times in milliseconds. */
export interface LoadResult {
  readonly requestsPerSecond: number
  readonly requests: number
  readonly p50: number
  readonly p99: number
}

const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Sends requests over `connections` keep-alive connections, one at a time each, for `millis`; any answer but 200 throws. */
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
      const sent = performance.now()
      const response = await pool.request(make())
      const text = await response.body.text()
      if (response.statusCode !== 200) throw new Error(`${origin} answered ${response.statusCode}: ${text}`)
      times.push(performance.now() - sent)
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
