import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as fc from "fast-check"
import { DispatchLimits } from "./DispatchLimits.ts"
import { attemptsInAll, deliveryRetryDelay } from "./deliveryRetryDelay.ts"
import { makeSlots } from "./makeSlots.ts"

const [minute, hour] = [60, 3600]

describe("what partners are told", () => {
  it("ten attempts in about three days: each waits as long as it should and up to a fifth longer", () => {
    const least = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
    assert.strictEqual(attemptsInAll, least.length + 1)
    for (const [index, seconds] of least.entries()) {
      const waits = [0, 0.5, 1].map((random) => deliveryRetryDelay(attemptsInAll - 1 - index, random) ?? Duration.zero)
      assert.deepStrictEqual(
        waits.map((wait) => Math.round(Duration.toSeconds(wait) * 10)),
        [seconds * 10, seconds * 11, seconds * 12]
      )
    }
    assert.isUndefined(deliveryRetryDelay(0, 0))
  })

  it.effect("an attempt may take 15 seconds, and a claim that need not be renewed holds for longer", () =>
    Effect.gen(function* () {
      const { attempt, claim } = yield* DispatchLimits
      assert.deepStrictEqual(attempt, Duration.seconds(15))
      assert.isAbove((Duration.toMillis(claim) * 2) / 3, Duration.toMillis(attempt))
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

it("no share takes the slots of another, slots come back, and only an awaited one is yielded, once", () => {
  const shares = ["PROVEN", "LATEST", "FRESH", "FAILING"] as const
  const most = { PROVEN: 9, LATEST: 9, FRESH: 9, FAILING: 9 }
  const limits = { ...Effect.runSync(DispatchLimits), endpoints: most, slowEndpoints: 2 }
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...shares), fc.boolean()), { maxLength: 9 }), (taken) => {
      const slots = makeSlots<string>(limits, () => {})
      const takenSlots = taken.map(([share, isAwaited]) => {
        const slot = slots.take(share)
        slots.noteFound(share, 1, isAwaited ? 1 : 0)
        for (const _ of [1, 2]) slot.yieldSlot()
        assert.isTrue(!slot.isSlow() || (isAwaited && share !== "FAILING"))
        return { share, slot }
      })
      assert.isAtMost(takenSlots.filter(({ slot }) => slot.isSlow()).length, limits.slowEndpoints)
      for (const share of shares) {
        const fast = takenSlots.filter((each) => each.share === share && !each.slot.isSlow())
        assert.strictEqual(slots.free()[share], most[share] - fast.length)
      }
      for (const { slot } of takenSlots) slot.releaseSlot()
      assert.deepStrictEqual(slots.free(), most)
    })
  )
})
