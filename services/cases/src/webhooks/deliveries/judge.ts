import type { Posted } from "@care/service-kit"
import { Duration, Option } from "effect"

/** What an answer to an event means. */
interface Judgement {
  readonly outcome: "DELIVERED" | "FAILED" | "GONE"
  /** How long nothing is sent to the endpoint at all. */
  readonly slowed: Duration.Duration | undefined
  /** How long the next attempt waits at least. */
  readonly retryAfter: Duration.Duration | undefined
}

// An endpoint, or what is before it, has too much to do.
const busy = [429, 502, 504]

const usualPause = Duration.seconds(30)

/** The longest that an endpoint is left alone because it asks for that, whatever it asks for: a day. */
const longestPause = Duration.hours(24)

/** How long `Retry-After` says, in seconds or as a date; undefined when it says nothing that can be read. */
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

/** Judges an answer; none is a failure. A redirect is not followed, and a failure, too. */
export const judge = (answer: Option.Option<Posted>, now: Date): Judgement =>
  Option.match(answer, {
    onNone: () => ({ outcome: "FAILED", slowed: undefined, retryAfter: undefined }),
    onSome: ({ retryAfter, status }) => {
      if (status >= 200 && status < 300) return { outcome: "DELIVERED", slowed: undefined, retryAfter: undefined }
      const asked = retryAfterOf(retryAfter, now)
      return {
        outcome: status === 410 ? "GONE" : "FAILED",
        slowed: busy.includes(status) ? (asked ?? usualPause) : undefined,
        retryAfter: asked
      }
    }
  })
