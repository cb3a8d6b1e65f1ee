import { rateLimits } from "@care/domain/http"
import { changedClock, until } from "@care/service-kit/testing"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import { FakeRedis } from "../testing/FakeRedis.ts"
import { makeRateLimits } from "../testing/layerTestSettings.ts"
import { keys } from "../testing/Upstream.ts"
import { probe, untilShared } from "../testing/untilShared.ts"

const rule = rateLimits.appointmentsBooking
const one = "3b241101-e2bb-4255-8caf-4136c566a962"
const other = "9b241101-e2bb-4255-8caf-4136c566a962"
const longTimeLimit = { REDIS_TIME_LIMIT: "1 minute" }

const makeLines = () => {
  const lines: Array<string> = []
  return { lines, layer: Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))]) }
}

const countedAlone = Effect.map(Metric.snapshot, (metrics) =>
  metrics.flatMap((metric) =>
    metric.id === "rate_limits_counted_alone_total" && metric.type === "Counter" ? [Number(metric.state.count)] : []
  )
)

/** Makes two gateways that are connected to one fake Redis. */
const makeTwo = Effect.fnUntraced(function* (redis: FakeRedis, environment: Readonly<Record<string, string>>) {
  const [first, second] = yield* Effect.all([
    makeRateLimits({ REDIS_URL: redis.url, ...environment }),
    makeRateLimits({ REDIS_URL: redis.url, ...environment })
  ])
  for (const gateway of [first, second]) yield* untilShared(redis, gateway)
  redis.counts.clear()
  return { first, second }
})

describe("SharedCounts", () => {
  it.live("two gateways together let one limit's requests through, however many come concurrently", () =>
    Effect.gen(function* () {
      const redis = yield* FakeRedis.make
      const { first, second } = yield* makeTwo(redis, longTimeLimit)
      const answers = yield* Effect.forEach(
        Array(300).keys(),
        (index) => (index % 3 === 0 ? first : second).count([rule], one),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter(({ isExceeded }) => !isExceeded),
        100
      )
      const left = answers.flatMap(({ isExceeded, remaining }) => (isExceeded ? [] : [remaining]))
      assert.deepStrictEqual(
        left.toSorted((a, b) => b - a),
        Array.from({ length: 100 }, (_, index) => 99 - index)
      )
      assert.deepInclude(yield* first.count([rule], other), { isExceeded: false, remaining: 99 })
    })
  )

  it.live("a request under two rules is counted under both by one command", () =>
    Effect.gen(function* () {
      const redis = yield* FakeRedis.make
      const { first, second } = yield* makeTwo(redis, { ...longTimeLimit, RATE_LIMIT_WRITES: "60" })
      const { evals } = redis
      for (let request = 0; request < 20; request += 1) yield* first.count([rule, rateLimits.writes], one)
      assert.strictEqual(redis.evals - evals, 20)
      assert.deepInclude(yield* second.count([rule, rateLimits.writes], one), {
        rule: rateLimits.writes,
        remaining: 39
      })
      assert.deepInclude(yield* second.count([rule], one), { rule, remaining: 78 })
    })
  )

  it.live("Redis is not asked about a caller over the limit, and gets the organization but no API key", () =>
    Effect.gen(function* () {
      const redis = yield* FakeRedis.make
      const { first, second } = yield* makeTwo(redis, { ...longTimeLimit, RATE_LIMIT_APPOINTMENTS_BOOKING: "3" })
      for (let request = 0; request < 3; request += 1) yield* first.count([rule], one)
      assert.isTrue((yield* second.count([rule], one)).isExceeded)
      const { evals } = redis
      const refused = yield* Effect.replicateEffect(
        Effect.flatMap(first.count([rule], one), () => second.count([rule], one)),
        100
      )
      assert.isTrue(refused.every(({ isExceeded }) => isExceeded))
      assert.strictEqual(redis.evals, evals)
      assert.deepStrictEqual([...redis.counts], [[`care:rate-limit:{${one}}:APPOINTMENTS_BOOKING`, 3]])
      assert.notInclude([...redis.counts.keys()].join(" "), keys.one)
    })
  )

  it.live(
    "continues from the shared counts when Redis goes away, reports it once, and shares again when it is back",
    () =>
      Effect.gen(function* () {
        const { layer, lines } = makeLines()
        yield* Effect.gen(function* () {
          const redis = yield* FakeRedis.make
          const { first, second } = yield* makeTwo(redis, longTimeLimit)
          const linesBefore = lines.length
          for (let request = 0; request < 60; request += 1) yield* second.count([rule], one)
          assert.deepInclude(yield* first.count([rule], one), { remaining: 39 })
          const before = yield* countedAlone
          yield* redis.goAway
          yield* until(
            Effect.sync(() => lines.slice(linesBefore).filter((line) => line.includes("by itself"))),
            ({ length }) => length >= 2
          )
          const alone = yield* Effect.replicateEffect(first.count([rule], one), 200, { concurrency: "unbounded" })
          assert.lengthOf(
            alone.filter(({ isExceeded }) => !isExceeded),
            39
          )
          assert.strictEqual((yield* countedAlone)[0], (before[0] ?? 0) + 39)
          // One line of each gateway.
          assert.lengthOf(lines.slice(linesBefore), 2)
          for (const line of lines.slice(linesBefore)) assert.notMatch(line, /a-password|127\.0\.0\.1|redis:\/\//)

          yield* redis.comeBack
          yield* untilShared(redis, first)
          yield* untilShared(redis, second)
          assert.lengthOf(
            lines.slice(linesBefore).filter((line) => line.includes("Redis counts requests again")),
            2
          )
          assert.deepInclude(yield* first.count([rule], other), { remaining: 99 })
          assert.deepInclude(yield* second.count([rule], other), { remaining: 98 })
        }).pipe(Effect.provide(layer), Effect.provideService(Metric.MetricRegistry, new Map()))
      })
  )

  it.live("counts locally when Redis answers with an error, whose text is not logged", () =>
    Effect.gen(function* () {
      const { layer, lines } = makeLines()
      yield* Effect.gen(function* () {
        const redis = yield* FakeRedis.make
        const { first } = yield* makeTwo(redis, longTimeLimit)
        redis.mode = "refusing"
        assert.deepInclude(yield* first.count([rule], one), { isExceeded: false, remaining: 99 })
        const warning = lines.filter((line) => line.includes("by itself")).at(-1) ?? ""
        assert.include(warning, "OOM")
        assert.notInclude(warning, "maxmemory")
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("a request waits no longer than the time limit for a silent Redis, and the next ones not at all", () =>
    Effect.gen(function* () {
      const redis = yield* FakeRedis.make
      const { first } = yield* makeTwo(redis, { REDIS_TIME_LIMIT: "5 millis" })
      redis.mode = "silent"
      const { evals } = redis
      const waiting = yield* Effect.forkChild(first.count([rule], one))
      yield* until(
        Effect.sync(() => redis.evals),
        (now) => now > evals
      )
      yield* TestClock.adjust("4 millis")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* Fiber.join(waiting), { isExceeded: false, remaining: 99 })
      for (let request = 0; request < 49; request += 1) yield* first.count([rule], one)
      assert.deepInclude(yield* first.count([rule], one), { isExceeded: false, remaining: 49 })
      assert.strictEqual(redis.evals, evals + 1)
      redis.mode = "counting"
      yield* untilShared(redis, first)
      assert.deepInclude(yield* first.count([rule], other), { remaining: 99 })
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.effect("warns at most once a minute that Redis does not count, however many requests there are", () =>
    Effect.gen(function* () {
      const { layer, lines } = makeLines()
      yield* Effect.gen(function* () {
        const redis = yield* FakeRedis.make
        const { first } = yield* makeTwo(redis, {})
        yield* TestClock.adjust("1 hour")
        const linesBefore = lines.length
        redis.mode = "refusing"
        for (let second = 0; second < 150; second += 1) {
          yield* first.count([probe], one)
          yield* TestClock.adjust("1 second")
        }
        assert.lengthOf(lines.slice(linesBefore), 3)
      }).pipe(Effect.provide(layer))
    })
  )

  it.live("an answer counts that this process was too busy to read in time", () =>
    Effect.gen(function* () {
      const redis = yield* FakeRedis.make
      const { first, second } = yield* makeTwo(redis, longTimeLimit)
      let endTime = () => {}
      const clock = changedClock({
        sleep: () =>
          Effect.callback((resume) => {
            endTime = () => resume(Effect.void)
          })
      })
      // The time ends after the answer is sent, and before it can be read.
      redis.afterAnswer = () => {
        setTimeout(() => endTime(), 1)
        const until = performance.now() + 20
        while (performance.now() < until);
      }
      const count = Effect.provideService(first.count([rule], one), Clock.Clock, clock)
      for (let request = 0; request < 3; request += 1) yield* count
      redis.afterAnswer = () => {}
      assert.deepInclude(yield* second.count([rule], one), { remaining: 96 })
      assert.strictEqual(redis.counts.get(`care:rate-limit:{${one}}:APPOINTMENTS_BOOKING`), 4)
      assert.deepInclude(yield* first.count([rule], one), { remaining: 95 })
    })
  )

  it.effect("refuses a URL that is not one of a Redis, in a sentence that does not quote it", () =>
    Effect.gen(function* () {
      for (const url of ["redis://care:a-password@host/path", "redis://care:%ff@host", "http://host"]) {
        const error = yield* Effect.flip(makeRateLimits({ REDIS_URL: url }))
        assert.strictEqual(error.message, "REDIS_URL has to be a URL such as redis://user:password@host:6379.")
      }
    })
  )
})
