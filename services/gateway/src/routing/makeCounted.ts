import { RateLimited, type RateLimitRule, rateWindowSeconds } from "@care/domain/http"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { GatewaySettings } from "../GatewaySettings.ts"
import { RateLimits, rateLimitHeaders } from "../limits/index.ts"
import type { KnownCaller } from "./Callers.ts"
import { countsOf } from "./countsOf.ts"
import { makeRefusals } from "./refusals.ts"

/** Makes the function that counts a request under its rate limits before it is answered. Every answer has the headers of the limit. */
export const makeCounted = Effect.gen(function* () {
  const rates = yield* RateLimits
  const refuseBy = makeRefusals((yield* GatewaySettings).limits)
  return <E, R>(
    endpoint: HttpApiEndpoint.Top,
    rules: ReadonlyArray<RateLimitRule>,
    caller: KnownCaller,
    answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) =>
    countsOf(rules, caller).reduce(
      (counted, { name, rules }) =>
        Effect.flatMap(rates.count(rules, name), (allowance) => {
          const { isExceeded, limit } = allowance
          return Effect.map(
            isExceeded
              ? refuseBy(endpoint)(Effect.fail(new RateLimited({ limit, retryAfter: rateWindowSeconds })))
              : counted,
            HttpServerResponse.setHeaders(rateLimitHeaders(allowance))
          )
        }),
      answer
    )
})
