import { type RateLimitRule, rateWindowSeconds } from "@care/domain/http"
import { Array as Arr, Clock, Context, Effect, Layer, Option } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"
import { makeSharedCounts, type SharedCount } from "./SharedCounts.ts"
import { type Window, Windows } from "./Windows.ts"

/** The result of counting a request, for the rule that leaves the fewest requests. */
export interface Allowance {
  readonly rule: RateLimitRule
  /** Requests in a window, as configured. */
  readonly limit: number
  /** Whether the request is over the limit. */
  readonly isExceeded: boolean
  /** Requests that are left in the window. */
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly resetSeconds: number
}

/** Counts requests of callers under the rules of rate limits. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts a request under each of the rules. A request that is over the limit of one rule counts under none. */
    readonly count: (rules: ReadonlyArray<RateLimitRule>, caller: string) => Effect.Effect<Allowance>
    /** Returns what a caller has used of each rule in its present window, and counts nothing. */
    readonly usage: (
      rules: ReadonlyArray<RateLimitRule>,
      caller: string
    ) => Effect.Effect<ReadonlyArray<{ readonly rule: RateLimitRule; readonly limit: number; readonly used: number }>>
  }
>()("@care/gateway/limits/RateLimits") {
  /**
   * Counts in this process and, if there is a Redis, in Redis, so that several gateways share one limit. The counts of
   * Redis are also stored here: they are used while Redis does not answer, and a caller over the limit is refused
   * without asking Redis.
   */
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const { redis, requestsPerWindow } = yield* GatewaySettings
      const shared = Option.isSome(redis) ? yield* makeSharedCounts(redis.value) : undefined
      const windowsByRule = new Map<string, Windows>()

      const windowsOf = ({ name }: RateLimitRule): Windows => {
        const existing = windowsByRule.get(name)
        if (existing !== undefined) return existing
        const windows = new Windows(rateWindowSeconds * 1000)
        windowsByRule.set(name, windows)
        return windows
      }

      const limitOf = ({ name, requests }: RateLimitRule): number => requestsPerWindow.get(name) ?? requests

      // In a Redis cluster all keys of a caller are in one slot.
      const keyOf = (caller: string, { name }: RateLimitRule) => `care:rate-limit:{${caller}}:${name}`

      const openCounts = (rules: ReadonlyArray<RateLimitRule>, caller: string, now: number): ReadonlyArray<Count> =>
        rules.map((rule) => ({ rule, limit: limitOf(rule), window: windowsOf(rule).at(caller, now) }))

      const countHere = (counts: ReadonlyArray<Count>, now: number): Allowance => {
        const isExceeded = counts.some(isUsedUp)
        if (!isExceeded) for (const { window } of counts) window.used += 1
        return strictest(counts.map((count) => allowance(count, isExceeded && isUsedUp(count), now)))
      }

      return RateLimits.of({
        count: (rules, caller) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const counts = openCounts(rules, caller, now)
            if (shared === undefined || counts.some(isUsedUp)) return Effect.succeed(countHere(counts, now))
            const windows = counts.map(({ limit, rule }) => ({
              key: keyOf(caller, rule),
              limit,
              millis: rateWindowSeconds * 1000
            }))
            return Effect.flatMap(shared.count(windows), (result) =>
              Effect.map(Clock.currentTimeMillis, (later) => {
                const counts = openCounts(rules, caller, later)
                if (result === undefined) return countHere(counts, later)
                return strictest(
                  Arr.zipWith(counts, result.counts, (count, sharedCount) =>
                    sharedAllowance(count, sharedCount, result.isCounted, later)
                  )
                )
              })
            )
          }),

        usage: Effect.fnUntraced(function* (rules, caller) {
          const now = yield* Clock.currentTimeMillis
          const inRedis = yield* shared?.used(rules.map((rule) => keyOf(caller, rule))) ?? Effect.succeed(undefined)
          return rules.map((rule, index) => ({
            rule,
            limit: limitOf(rule),
            used: inRedis?.[index] ?? windowsOf(rule).usedAt(caller, now)
          }))
        })
      })
    })
  )
}

/** A rule with its configured limit and the caller's window. */
interface Count {
  readonly rule: RateLimitRule
  readonly limit: number
  readonly window: Window
}

const isUsedUp = ({ limit, window }: Count): boolean => window.used >= limit

const sharedAllowance = (
  count: Count,
  { millisLeft, used }: SharedCount,
  isCounted: boolean,
  now: number
): Allowance => {
  const window = { used, endsAt: now + Math.min(millisLeft, rateWindowSeconds * 1000) }
  // Answers of Redis may arrive in another order.
  if (used >= count.window.used) Object.assign(count.window, window)
  return allowance({ ...count, window }, !isCounted && used >= count.limit, now)
}

/** Returns the allowance of an exceeded rule, or else the one with the fewest requests left, and the first of equals. */
export const strictest = (allowances: ReadonlyArray<Allowance>): Allowance =>
  allowances.reduce((a, b) => {
    if (a.isExceeded !== b.isExceeded) return b.isExceeded ? b : a
    return b.remaining < a.remaining ? b : a
  })

const allowance = ({ limit, rule, window: { endsAt, used } }: Count, isExceeded: boolean, now: number): Allowance => ({
  rule,
  limit,
  isExceeded,
  remaining: Math.max(0, limit - used),
  resetSeconds: Math.ceil((endsAt - now) / 1000)
})

/**
 * Returns the headers of a rate limit (draft-ietf-httpapi-ratelimit-headers-10). A refused caller gets the same time in
 * all three places: that of the body's `retryAfter`.
 */
export const rateLimitHeaders = ({
  isExceeded,
  limit,
  remaining,
  resetSeconds,
  rule: { name }
}: Allowance): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"${name}";q=${limit};w=${rateWindowSeconds}`,
  ratelimit: `"${name}";r=${remaining};t=${isExceeded ? rateWindowSeconds : resetSeconds}`,
  ...(isExceeded && { "retry-after": String(rateWindowSeconds) })
})
