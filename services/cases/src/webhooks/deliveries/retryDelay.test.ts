import { assert, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { attemptsInAll, retryDelay } from "./retryDelay.ts"

const [minute, hour] = [60, 3600]

it.effect(
  "ten attempts in about three days: each waits as long as it should and up to a fifth longer, never two alike",
  () =>
    Effect.gen(function* () {
      assert.strictEqual(attemptsInAll, 10)
      const least = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
      for (const [index, seconds] of least.entries()) {
        const waits = yield* Effect.all(Array.from({ length: 50 }, () => retryDelay(attemptsInAll - 1 - index)))
        const told = waits.map((wait) => Duration.toSeconds(wait ?? Duration.zero))
        for (const wait of told) {
          assert.isAtLeast(wait, seconds)
          assert.isAtMost(wait, seconds * 1.2)
        }
        assert.strictEqual(new Set(told).size, told.length)
        assert.isAbove(Math.max(...told), seconds * 1.1)
      }
      assert.isUndefined(yield* retryDelay(0))
    })
)
