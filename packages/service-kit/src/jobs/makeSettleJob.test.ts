import { assert, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { retryDelay } from "./makeSettleJob.ts"

it.effect("a job waits twice as long after each failure, at most 5 minutes, and never as long as all others", () =>
  Effect.gen(function* () {
    for (let failures = 1; failures <= 60; failures += 1) {
      const longest = Math.min(2 ** (failures - 1), 300)
      const delays = yield* Effect.replicateEffect(retryDelay(failures, Duration.seconds(1)), 50)
      const seconds = delays.map(Duration.toSeconds)
      assert.isTrue(
        seconds.every((delay) => delay > longest / 2 - 0.01 && delay <= longest),
        `${failures}: ${seconds}`
      )
      assert.isAbove(new Set(seconds).size, 40)
    }
  })
)
