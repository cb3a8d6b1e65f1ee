import { RateLimited, type RateLimitRule } from "@care/domain/http"
import { Context, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { GatewaySettings } from "../GatewaySettings.ts"

/** The requests that callers may make under rules of rate limits. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts one request of a caller under a rule; fails when there have been too many in the window. */
    readonly count: (rule: RateLimitRule, caller: string) => Effect.Effect<void, RateLimited>
  }
>()("@care/gateway/limits/RateLimits") {
  /** Counts in this process: for one gateway. */
  static readonly layerMemory = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      const { requestsPerWindow } = yield* GatewaySettings
      return RateLimits.of({
        count: ({ name, requests, windowSeconds }, caller) => {
          const limit = requestsPerWindow.get(name) ?? requests
          return limiter.consume({ key: `${name} ${caller}`, limit, window: windowSeconds * 1000 }).pipe(
            Effect.asVoid,
            Effect.catchTag("RateLimiterError", ({ reason }) =>
              reason._tag === "RateLimitExceeded"
                ? new RateLimited({ retryAfter: windowSeconds, limit })
                : Effect.die(reason)
            )
          )
        }
      })
    })
  ).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))
}
