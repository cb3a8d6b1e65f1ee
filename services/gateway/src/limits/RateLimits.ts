import { type OrganizationId, RateLimited, type RateLimitRule } from "@care/domain"
import { Context, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"

/** The requests that organizations may make to endpoints with a rate limit. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts one request of an organization to an endpoint; fails when there have been too many in the window. */
    readonly count: (
      endpoint: string,
      organizationId: OrganizationId,
      rule: RateLimitRule
    ) => Effect.Effect<void, RateLimited>
  }
>()("@care/gateway/limits/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      return RateLimits.of({
        count: (endpoint, organizationId, { requests, windowSeconds }) =>
          limiter.consume({ key: `${endpoint} ${organizationId}`, limit: requests, window: windowSeconds * 1000 }).pipe(
            Effect.asVoid,
            Effect.catchTag("RateLimiterError", ({ reason }) =>
              reason._tag === "RateLimitExceeded"
                ? new RateLimited({ retryAfter: windowSeconds, limit: requests })
                : Effect.die(reason)
            )
          )
      })
    })
  )

  /** Counts in this process: for one gateway. */
  static readonly layerMemory = RateLimits.layer.pipe(
    Layer.provide(RateLimiter.layer),
    Layer.provide(RateLimiter.layerStoreMemory)
  )
}
