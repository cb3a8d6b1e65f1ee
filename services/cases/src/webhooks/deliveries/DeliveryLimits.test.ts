import { assert, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { DeliveryLimits } from "./DeliveryLimits.ts"

it.effect(
  "there is room for all that do not answer and are found within the time of an attempt, so that none keeps its place",
  () =>
    Effect.gen(function* () {
      const { attempt, claim, endpoints, slowAfter, slowEndpoints } = yield* DeliveryLimits
      const turns = Duration.toMillis(attempt) / Duration.toMillis(slowAfter)
      assert.isAtLeast(slowEndpoints, (endpoints.PROVEN + endpoints.LATEST + endpoints.FRESH) * turns)
      assert.isAtLeast(Duration.toMillis(claim), 3 * Duration.toMillis(attempt))
    })
)

it.effect("an attempt may take 15 seconds, which is what partners are told", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual((yield* DeliveryLimits).attempt, Duration.seconds(15))
  })
)
