import { assert, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { jobRetryDelay } from "./makeSettleJob.ts"
import { forThreeDays, upTo } from "./RetryPolicy.ts"

it.effect.each([
  [upTo(50), 300],
  [forThreeDays, 3600]
] as const)(
  "a job waits twice as long after each failure, %# at most so long, and never as long as all others, but in a sandbox",
  ([policy, most]) =>
    Effect.gen(function* () {
      for (let failures = 1; failures <= 60; failures += 1) {
        const longest = Math.min(2 ** (failures - 1), most)
        const delayOf = (aheadMillis: number | null) =>
          jobRetryDelay({ attempts: failures, crashes: 0, aheadMillis }, Duration.seconds(1), policy)
        const delays = yield* Effect.replicateEffect(delayOf(null), 50)
        const seconds = delays.map(Duration.toSeconds)
        assert.isTrue(
          seconds.every((delay) => delay > longest / 2 - 0.01 && delay <= longest),
          `${failures}: ${seconds}`
        )
        assert.isAbove(new Set(seconds).size, 40)
        assert.strictEqual(Duration.toSeconds(yield* delayOf(0)), longest)
      }
    })
)
