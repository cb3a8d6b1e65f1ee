import type { RateLimitRule } from "@care/domain/http"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"
import { makeSharedCounts } from "./SharedCounts.ts"
import { type Window, Windows } from "./Windows.ts"

/** What a rule leaves to a caller, when one of their requests is counted. */
export interface Allowance {
  readonly rule: RateLimitRule
  /** Requests in a window, as the environment says. */
  readonly limit: number
  /** The request is one too many. */
  readonly isExceeded: boolean
  /** Requests that are left in the window. */
  readonly remaining: number
  /** Seconds until all requests are there again. */
  readonly resetSeconds: number
}

/** The requests that callers may make under rules of rate limits. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts one request of a caller under a rule. */
    readonly count: (rule: RateLimitRule, caller: string) => Effect.Effect<Allowance>
  }
>()("@care/gateway/limits/RateLimits") {
  /**
   * Counts in this process, and with a Redis in that, so that several gateways hold their callers to one limit. What Redis says
   * is kept here too: from there it goes on when Redis does not answer, and who is over the limit is refused without asking.
   */
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const { redis, requestsPerWindow } = yield* GatewaySettings
      const shared = Option.isSome(redis) ? yield* makeSharedCounts(redis.value) : undefined
      const kept = new Map<string, Windows>()

      const windowsOf = ({ name, windowSeconds }: RateLimitRule): Windows => {
        const known = kept.get(name)
        if (known !== undefined) return known
        const windows = new Windows(windowSeconds * 1000)
        kept.set(name, windows)
        return windows
      }

      const countHere = (rule: RateLimitRule, limit: number, window: Window, now: number): Allowance => {
        const isExceeded = window.used >= limit
        if (!isExceeded) window.used += 1
        return allowance(rule, limit, isExceeded, window, now)
      }

      return RateLimits.of({
        count: (rule, caller) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const limit = requestsPerWindow.get(rule.name) ?? rule.requests
            const windows = windowsOf(rule)
            const window = windows.at(caller, now)
            if (shared === undefined || window.used >= limit) return Effect.succeed(countHere(rule, limit, window, now))
            const windowMillis = rule.windowSeconds * 1000
            return Effect.flatMap(shared.count(`care:rate-limit:${rule.name}:${caller}`, windowMillis), (counted) =>
              Effect.map(Clock.currentTimeMillis, (later) => {
                const window = windows.at(caller, later)
                if (counted === undefined) return countHere(rule, limit, window, later)
                const { millisLeft, used } = counted
                const told = { used, endsAt: later + Math.min(millisLeft, windowMillis) }
                // Answers may overtake each other.
                if (used >= window.used) Object.assign(window, told)
                return allowance(rule, limit, used > limit, told, later)
              })
            )
          })
      })
    })
  )
}

const allowance = (
  rule: RateLimitRule,
  limit: number,
  isExceeded: boolean,
  { endsAt, used }: Window,
  now: number
): Allowance => ({
  rule,
  limit,
  isExceeded,
  remaining: Math.max(0, limit - used),
  resetSeconds: Math.ceil((endsAt - now) / 1000)
})
