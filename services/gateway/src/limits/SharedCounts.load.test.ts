import { rateLimits } from "@care/domain/http"
import { until } from "@care/service-kit/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { FakeRedis } from "../testing/FakeRedis.ts"
import { makeRateLimits } from "../testing/layerTestSettings.ts"
import { untilShared } from "../testing/untilShared.ts"

const rule = rateLimits.appointmentsBooking
const one = "3b241101-e2bb-4255-8caf-4136c566a962"
const longTimeLimit = { REDIS_TIME_LIMIT: "1 minute" }

// The client of Redis checks its connection every second or two.
describe("connections of SharedCounts", () => {
  it.live("replaces a connection that has stopped answering", () =>
    Effect.gen(function* () {
      const redis = yield* FakeRedis.make
      const limits = yield* makeRateLimits({ REDIS_URL: redis.url, REDIS_TIME_LIMIT: "5 millis" })
      yield* untilShared(redis, limits)
      redis.mode = "silent"
      yield* until(
        Effect.map(limits.count([rule], one), () => redis.connections),
        (connections) => connections > 1
      )
      redis.mode = "counting"
      yield* untilShared(redis, limits)
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.live("keeps an idle connection", () =>
    Effect.gen(function* () {
      const redis = yield* FakeRedis.make
      const limits = yield* makeRateLimits({ REDIS_URL: redis.url, ...longTimeLimit })
      yield* untilShared(redis, limits)
      const { connections } = redis
      yield* until(
        Effect.sync(() => redis.pings),
        (pings) => pings === 3
      )
      assert.strictEqual(redis.connections, connections)
    })
  )

  it.live("a gateway starts while its Redis is away", () =>
    Effect.gen(function* () {
      const redis = yield* FakeRedis.make
      yield* redis.goAway
      const limits = yield* makeRateLimits({ REDIS_URL: redis.url, ...longTimeLimit })
      assert.deepInclude(yield* limits.count([rule], one), { isExceeded: false, remaining: 99 })
      yield* redis.comeBack
      yield* untilShared(redis, limits)
    }).pipe(Effect.provide(Logger.layer([])))
  )
})
