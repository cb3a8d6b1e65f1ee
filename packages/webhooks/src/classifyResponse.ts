import { Duration } from "effect"

/** The parts of a receiver's response that decide what follows. */
export interface Response {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** How an attempt at an endpoint went. `GONE` is a response of 410. */
export type Outcome = "DELIVERED" | "FAILED" | "GONE"

interface Classified {
  readonly outcome: Outcome
  /** How long nothing at all is sent to the endpoint. */
  readonly slowFor: Duration.Duration | undefined
  /** How long the next attempt waits at least. */
  readonly retryAfter: Duration.Duration | undefined
}

// The endpoint, or a proxy before it, is overloaded.
const overloaded = [429, 502, 504]

const usualPause = Duration.seconds(30)

/** The longest pause that an endpoint can ask for. */
const longestPause = Duration.hours(24)

/** Reads `Retry-After`, in seconds or as a date. Returns undefined when it is neither. */
export const retryAfterOf = (header: string | undefined, now: Date): Duration.Duration | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  const millis = /^\d+$/.test(text)
    ? Number(text) * 1000
    : /^[A-Za-z]/.test(text)
      ? Date.parse(text) - now.getTime()
      : Number.NaN
  if (Number.isNaN(millis)) return undefined
  return Duration.min(Duration.millis(Math.max(0, millis)), longestPause)
}

/** Classifies a response. No response and redirects, which are not followed, are failures. */
export const classifyResponse = (response: Response | undefined, now: Date): Classified => {
  const status = response?.status ?? 0
  if (status >= 200 && status < 300) return { outcome: "DELIVERED", slowFor: undefined, retryAfter: undefined }
  const retryAfter = retryAfterOf(response?.retryAfter, now)
  return {
    outcome: status === 410 ? "GONE" : "FAILED",
    slowFor: overloaded.includes(status) ? (retryAfter ?? usualPause) : undefined,
    retryAfter
  }
}
