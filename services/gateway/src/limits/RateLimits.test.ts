import { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layerTestSettings } from "../testing/layerTestSettings.ts"
import { RateLimits } from "./RateLimits.ts"

const one = OrganizationId.make("3b241101-e2bb-4255-8caf-4136c566a962")
const other = OrganizationId.make("9b241101-e2bb-4255-8caf-4136c566a962")
const rule = (name: string) => ({ name, requests: 5, windowSeconds: 60 })

layer(RateLimits.layer.pipe(Layer.provide(layerTestSettings())))("RateLimits", (it) => {
  it.effect("lets through exactly so many requests of an organization in a window", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const outcomes = yield* Effect.all(
        Array.from({ length: 12 }, () => Effect.isSuccess(limits.count(rule("LIST"), one))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(outcomes.filter((isSuccess) => isSuccess).length, 5)
      assert.isTrue(yield* Effect.isSuccess(limits.count(rule("LIST"), other)))
      assert.isTrue(yield* Effect.isSuccess(limits.count(rule("BOOK"), one)))
      yield* TestClock.adjust("60 seconds")
      assert.isTrue(yield* Effect.isSuccess(limits.count(rule("LIST"), one)))
    })
  )
})
