import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { DispatchLimits } from "./DispatchLimits.ts"
import { attemptsInAll, retryDelay } from "./retryDelay.ts"

const [minute, hour] = [60, 3600]

describe("what partners are told", () => {
  it("ten attempts in about three days: each waits as long as it should and up to a fifth longer", () => {
    const least = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
    assert.strictEqual(attemptsInAll, least.length + 1)
    for (const [index, seconds] of least.entries()) {
      const waits = [0, 0.5, 1].map((random) => retryDelay(attemptsInAll - 1 - index, random) ?? Duration.zero)
      assert.deepStrictEqual(
        waits.map((wait) => Math.round(Duration.toSeconds(wait) * 10)),
        [seconds * 10, seconds * 11, seconds * 12]
      )
    }
    assert.isUndefined(retryDelay(0, 0))
  })

  it.effect("an attempt may take 15 seconds, and a claim holds for much longer", () =>
    Effect.gen(function* () {
      const { attempt, claim } = yield* DispatchLimits
      assert.deepStrictEqual(attempt, Duration.seconds(15))
      assert.isAtLeast(Duration.toMillis(claim), 3 * Duration.toMillis(attempt))
    })
  )
})

it.effect("there are slots for all endpoints that do not answer and are found within the time of an attempt", () =>
  Effect.gen(function* () {
    const { attempt, endpoints, slowAfter, slowEndpoints } = yield* DispatchLimits
    const turns = Duration.toMillis(attempt) / Duration.toMillis(slowAfter)
    assert.isAtLeast(slowEndpoints, (endpoints.PROVEN + endpoints.LATEST + endpoints.FRESH) * turns)
  })
)
