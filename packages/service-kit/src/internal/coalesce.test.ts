import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { coalesce } from "./coalesce.ts"

it.effect("look-ups that arrive while a call is under way share the next one", () =>
  Effect.gen(function* () {
    const calls: Array<ReadonlyArray<number>> = []
    const gate = yield* Deferred.make<void>()
    const find = coalesce({
      batchSize: 3,
      lookUp: (keys: ReadonlyArray<number>) =>
        Effect.as(
          Effect.andThen(
            Effect.sync(() => calls.push(keys)),
            Deferred.await(gate)
          ),
          keys.map((key) => key * 10)
        )
    })
    const all = yield* Effect.forEach([1, 2, 3, 4, 5], find, { concurrency: "unbounded" }).pipe(Effect.forkChild)
    yield* Effect.yieldNow
    yield* Deferred.succeed(gate, undefined)
    assert.deepStrictEqual(yield* Fiber.join(all), [10, 20, 30, 40, 50])
    assert.strictEqual(calls.flat().length, 5)
    assert.isAtMost(calls.length, 3)
    assert.strictEqual(yield* find(6), 60)
  })
)

it.effect("a failed call fails those who shared it, and no others", () =>
  Effect.gen(function* () {
    let isBroken = true
    const find = coalesce({
      batchSize: 10,
      lookUp: (keys: ReadonlyArray<number>) => (isBroken ? Effect.fail("broken" as const) : Effect.succeed(keys))
    })
    assert.strictEqual(yield* Effect.flip(find(1)), "broken")
    isBroken = false
    assert.strictEqual(yield* find(2), 2)
  })
)

it.effect("answers undefined where there is nothing", () =>
  Effect.gen(function* () {
    const find = coalesce({ batchSize: 10, lookUp: () => Effect.succeed([]) })
    assert.isUndefined(yield* find(1))
  })
)
