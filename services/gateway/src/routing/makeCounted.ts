import { RateLimited, type RateLimitRule, rateWindowSeconds } from "@care/domain/http"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { GatewaySettings } from "../GatewaySettings.ts"
import { type Allowance, RateLimits, rateLimitHeaders, strictest } from "../limits/index.ts"
import type { KnownCaller } from "./Callers.ts"
import { countsOf } from "./countsOf.ts"
import { makeRefusals } from "./refusals.ts"

const namingLimit = (allowances: ReadonlyArray<Allowance>) =>
  Effect.map(HttpServerResponse.setHeaders(rateLimitHeaders(strictest(allowances))))

/**
 * Makes the function that counts a request under its rate limits before it is answered. Every answer has the headers of the limit that leaves
 * the fewest requests.
 */
export const makeCounted = Effect.gen(function* () {
  const rates = yield* RateLimits
  const refuseBy = makeRefusals((yield* GatewaySettings).limits)
  return <E, R>(
    endpoint: HttpApiEndpoint.Top,
    rules: ReadonlyArray<RateLimitRule>,
    caller: KnownCaller,
    answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) => {
    const counts = countsOf(rules, caller)
    const countFrom = (
      index: number,
      before: ReadonlyArray<Allowance>
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> => {
      const next = counts[index]
      if (next === undefined) return before.length === 0 ? answer : namingLimit(before)(answer)
      return Effect.flatMap(rates.count(next.rules, next.name), (allowance) => {
        const allowances = [...before, allowance]
        const { isExceeded, limit } = allowance
        if (!isExceeded) return countFrom(index + 1, allowances)
        const refusal = new RateLimited({ limit, retryAfter: rateWindowSeconds })
        return namingLimit(allowances)(refuseBy(endpoint)(Effect.fail(refusal)))
      })
    }
    return countFrom(0, [])
  }
})
