import { type RateLimitRule, rateLimits } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { makeRateLimits } from "../testing/layerTestSettings.ts"

const one = OrganizationId.make("3b241101-e2bb-4255-8caf-4136c566a962")
const other = OrganizationId.make("9b241101-e2bb-4255-8caf-4136c566a962")

const list = rateLimits.appointmentsList
const small: RateLimitRule = { name: "SMALL", requests: 5, meaning: "requests of a test" }

// The steps of callers in order: let time pass, and count requests in parallel.
const Steps = Schema.Array(
  Schema.Struct({
    waitMillis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40_000 })),
    caller: Schema.Literals([one, other]),
    requests: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8 }))
  })
).check(Schema.isMaxLength(30))

describe("RateLimits", () => {
  it.effect("begins a window with a request, and the next one a minute later, to the millisecond", () =>
    Effect.gen(function* () {
      const limits = yield* makeRateLimits()
      yield* TestClock.adjust("17 seconds")
      for (let request = 0; request < 499; request += 1) yield* limits.count([list], one)
      yield* TestClock.adjust("59999 millis")
      assert.deepInclude(yield* limits.count([list], one), { isExceeded: false, remaining: 0, resetSeconds: 1 })
      assert.deepInclude(yield* limits.count([list], one), { isExceeded: true, remaining: 0, resetSeconds: 1 })
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* limits.count([list], one), { isExceeded: false, remaining: 499, resetSeconds: 60 })
    })
  )

  it.effect("says what is used of each rule in the present window, and counts nothing by that", () =>
    Effect.gen(function* () {
      const limits = yield* makeRateLimits({ RATE_LIMIT_APPOINTMENTS_LIST: "7" })
      const used = (caller: OrganizationId) =>
        Effect.map(limits.usage([list, small], caller), (rules) => rules.map(({ limit, used }) => [used, limit]))
      for (let request = 0; request < 3; request += 1) yield* limits.count([list], one)
      for (let reading = 0; reading < 9; reading += 1) {
        assert.deepStrictEqual(yield* used(one), [
          [3, 7],
          [0, 5]
        ])
      }
      assert.deepStrictEqual(yield* used(other), [
        [0, 7],
        [0, 5]
      ])
      assert.deepInclude(yield* limits.count([list], one), { remaining: 3 })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* used(one), [
        [0, 7],
        [0, 5]
      ])
    })
  )

  it.effect("counts each organization and each rule separately, with the limits of the environment", () =>
    Effect.gen(function* () {
      const limits = yield* makeRateLimits({ RATE_LIMIT_APPOINTMENTS_BOOKING: "2" })
      const { appointmentsBooking, appointmentsCancel } = rateLimits
      const isRefused = (rule: RateLimitRule, caller: OrganizationId) =>
        Effect.map(limits.count([rule], caller), ({ isExceeded }) => isExceeded)
      const parallel = Effect.replicateEffect(isRefused(appointmentsBooking, one), 3)
      assert.deepStrictEqual(yield* parallel, [false, false, true])
      assert.isFalse(yield* isRefused(appointmentsBooking, other))
      assert.deepInclude(yield* limits.count([appointmentsCancel], one), { limit: 100, remaining: 99 })
    })
  )

  it.effect(
    "counts a request under two rules, reports the rule with the least left, and counts a refused request under none",
    () =>
      Effect.gen(function* () {
        const limits = yield* makeRateLimits()
        const large: RateLimitRule = { name: "LARGE", requests: 7, meaning: "requests of a test" }
        const both = limits.count([small, large], one)
        assert.deepInclude(yield* both, { rule: small, isExceeded: false, remaining: 4 })
        for (let request = 0; request < 4; request += 1) yield* limits.count([large], one)
        assert.deepInclude(yield* both, { rule: large, isExceeded: false, remaining: 1 })
        yield* limits.count([large], one)
        for (let request = 0; request < 3; request += 1) {
          assert.deepInclude(yield* both, { rule: large, isExceeded: true, remaining: 0 })
        }
        assert.deepInclude(yield* limits.count([small], one), { rule: small, isExceeded: false, remaining: 2 })
      })
  )

  it.effect.prop(
    "whenever requests come, a caller gets exactly as many through in a window as the limit allows",
    { steps: Steps },
    Effect.fnUntraced(function* ({ steps }) {
      const limits = yield* makeRateLimits()
      const windows = new Map<string, { readonly at: number; admitted: number }>()
      for (const { caller, requests, waitMillis } of steps) {
        yield* TestClock.adjust(waitMillis)
        const now = yield* Clock.currentTimeMillis
        const existing = windows.get(caller)
        const window = existing !== undefined && now < existing.at + 60_000 ? existing : { at: now, admitted: 0 }
        windows.set(caller, window)
        const answers = yield* Effect.replicateEffect(limits.count([small], caller), requests, {
          concurrency: "unbounded"
        })
        const admitted = answers.filter(({ isExceeded }) => !isExceeded).length
        assert.strictEqual(admitted, Math.min(requests, 5 - window.admitted))
        window.admitted += admitted
      }
    })
  )
})
