import { assert, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { jobRetryDelay } from "./makeSettleJob.ts"
import { forThreeDays, upTo } from "./RetryPolicy.ts"

it.effect.each([
  [upTo(50), 300],
  [forThreeDays, 3600]
] as const)(
  "a job waits twice as long after each failure, %# at most so long, and never as long as all others",
  ([policy, most]) =>
    Effect.gen(function* () {
      for (let failures = 1; failures <= 60; failures += 1) {
        const longest = Math.min(2 ** (failures - 1), most)
        const delays = yield* Effect.replicateEffect(jobRetryDelay(failures, Duration.seconds(1), policy), 50)
        const seconds = delays.map(Duration.toSeconds)
        assert.isTrue(
          seconds.every((delay) => delay > longest / 2 - 0.01 && delay <= longest),
          `${failures}: ${seconds}`
        )
        assert.isAbove(new Set(seconds).size, 40)
      }
    })
)
