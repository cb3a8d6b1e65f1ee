import type { RateLimitRule } from "@care/domain/http"
import { until } from "@care/service-kit/testing"
import { Effect } from "effect"
import type { FakeRedis } from "./FakeRedis.ts"
import type { makeRateLimits } from "./layerTestSettings.ts"

/** A rule without a real limit. */
export const probe: RateLimitRule = {
  name: "PROBE",
  requests: 1_000_000,
  meaning: "requests of a test"
}

/** Counts requests until Redis counts them, too. */
export const untilShared = (redis: FakeRedis, limits: Effect.Success<ReturnType<typeof makeRateLimits>>) =>
  until(
    Effect.gen(function* () {
      const before = redis.counts.get("care:rate-limit:{probe}:PROBE") ?? 0
      yield* limits.count([probe], "probe")
      return (redis.counts.get("care:rate-limit:{probe}:PROBE") ?? 0) > before
    }),
    (isShared) => isShared
  )
