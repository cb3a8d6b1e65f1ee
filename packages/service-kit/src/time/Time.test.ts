import { OrganizationId } from "@care/domain/ids"
import { assert, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { now, nowAsDate, nowMillis, TestOrganization } from "./Time.ts"

const sandbox = {
  organizationId: OrganizationId.make("11111111-1111-4111-8111-111111111111"),
  aheadMillis: 60_000,
  resets: 0
}

it.effect("a sandbox organization's time is ahead of the machine's, and others' is the machine's", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(1000)
    const times = Effect.gen(function* () {
      return [yield* nowMillis, DateTime.toEpochMillis(yield* now), (yield* nowAsDate).getTime()]
    })
    assert.deepStrictEqual(yield* times, [1000, 1000, 1000])
    const ahead = Effect.provideService(times, TestOrganization, sandbox)
    assert.deepStrictEqual(yield* ahead, [61_000, 61_000, 61_000])
    assert.deepStrictEqual(yield* times, [1000, 1000, 1000])
  })
)
